import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditJournal } from "../../src/stores/file/audit-journal.ts";
import { auditViews } from "../../src/stores/file/audit-views.ts";
import { wholeOr } from "../whole.ts";
import { openWindow } from "../window.ts";
import { report } from "./figures.ts";
import { goThrough, type Strike, untimed } from "./go-through.ts";
import { calls, type Fault, type Injector, kinds, openInjector } from "./injector.ts";
import { serve } from "./serve.ts";

/** `npm test` takes samples; `npm run faults` leaves nothing out. */
const isWhole = wholeOr(true, false);
const series = isWhole
  ? calls.flatMap((call) => kinds.map((kind) => ({ call, kind, step: 1 })))
  : ([
      { call: "write", kind: "torn", step: 18 },
      { call: "fsync", kind: "EIO", step: 18 },
    ] as const);

let folder: string;
let injector: Injector;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waymark-served-"));
  injector = openInjector(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const unsaved = "Unable to save workflow state. Progress may not be preserved.";

/** Walks three actions under a fault, then opens the area again without it, in this process: it starts many times as fast. */
async function strike(fault: Fault): Promise<Strike> {
  const home = mkdtempSync(join(folder, "run-"));
  const [root, area] = [join(home, "root"), join(home, "area")];
  cpSync(join(import.meta.dirname, "../../examples/demo/project"), root, { recursive: true });
  mkdirSync(area);
  const mark = join(home, "fired");
  const server = serve(root, area, injector.prepare(fault, area, mark));
  await server.initialize();
  const acknowledged: string[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const opened = await server.call("shape_bot");
    if (opened === undefined) break;
    expect(opened.status, JSON.stringify(opened)).toBe("started");
    const completed = await server.call("complete_action", { confirmation: "yes", outputs: { answer: "clerks" } });
    if (completed === undefined) break;
    expect(completed.status, JSON.stringify(completed)).toMatch(/complete/);
    acknowledged.push(completed.action);
  }
  const last = await server.call("shape_bot"); // what was held is written now
  await server.end();
  if (fault.kind !== "kill" && fault.kind !== "torn") expect(last?.status).toBe("started");

  const again = await openWindow(root, { args: ["--project-area", area] });
  const answer = await again.call("shape_bot");
  expect(["started", "interrupted"]).toContain(answer.status);
  expect(answer.warnings.filter((warning) => warning === unsaved || warning.includes("edited"))).toEqual([]);
  await again.close();
  const { completed_actions: listed } = JSON.parse(readFileSync(join(area, "workflow_state.json"), "utf8"));
  const paths: string[] = listed.map((entry: { action_state: string }) => entry.action_state.split(".").at(-1));
  expect(paths.slice(0, acknowledged.length)).toEqual(acknowledged);
  expect(paths.length - acknowledged.length).toBeLessThanOrEqual(1);
  const bot = listed[0]?.action_state.split(".")[0] ?? "story_bot";
  const id = { kind: "bot", name: bot } as const;
  expect(auditJournal(area, id).breaks).toEqual([]);
  expect(auditViews(area, id).map(({ verdict }) => verdict)).toEqual(["current", "current"]);
  const isFired = existsSync(mark);
  rmSync(home, { recursive: true });
  return { isFired, acknowledged: acknowledged.length };
}

it("through a served window: what was answered as done is on record after every fault", untimed, async () => {
  const { fired, acknowledged } = await goThrough("through a served window", series, strike);
  report({ part: "through a served window", faults: fired, acknowledged, how: injector.name });
  expect(fired).toBeGreaterThan(0);
});
