import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { wholeOr } from "../whole.ts";
import { report } from "./figures.ts";
import { untimed } from "./go-through.ts";
import { calls, type Injector, kinds, openInjector } from "./injector.ts";
import { buildWindow, type Sweep, sweep } from "./sweep.ts";

/** `npm test` takes samples; `npm run faults` leaves nothing out. */
const isWhole = wholeOr(true, false);

let folder: string;
let window: string;
let injector: Injector;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waymark-sweep-"));
  window = buildWindow(folder);
  injector = openInjector(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const sweeps: readonly (readonly [string, Sweep])[] = isWhole
  ? [
      ["every call, one after the other", { calls, kinds, step: 1, pause: 0 }],
      [
        "every call, at the pace of real work",
        { calls: ["write", "rename", "link", "unlink", "ftruncate"], kinds, step: 1, pause: 11_000 },
      ],
    ]
  : [
      ["calls that fail", { calls: ["write", "fsync", "rename", "link"], kinds: ["EIO", "short"], step: 17, pause: 0 }],
      ["a full and a read-only disk", { calls: ["open", "write"], kinds: ["ENOSPC", "EROFS"], step: 43, pause: 0 }],
      ["a process that dies", { calls: ["write", "fsync", "rename"], kinds: ["torn", "kill"], step: 17, pause: 0 }],
      ["files that shrink", { calls: ["ftruncate"], kinds: ["EIO"], step: 1, pause: 11_000 }],
    ];

it.each(sweeps)("%s: every promise holds after every fault", untimed, async (title, plan) => {
  const { fired, acknowledged } = await sweep(title, folder, window, injector, plan);
  report({ part: title, faults: fired, acknowledged, how: injector.name });
  expect(fired).toBeGreaterThan(0);
});
