import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditJournal } from "../../src/stores/file/audit-journal.ts";
import { openSession } from "../../src/stores/file/window.testing.ts";
import { replay } from "../../src/workflow/replay.ts";
import { sessionFileText } from "../../src/workflow/session-view.ts";
import { wholeOr } from "../whole.ts";
import { report } from "./figures.ts";
import { goThrough, type Strike, untimed } from "./go-through.ts";
import { calls, type Fault, type Injector, kinds, openInjector } from "./injector.ts";
import { saidBy } from "./said-by.ts";
import { sessionScript } from "./session-script.ts";

/** `npm test` takes samples; `npm run faults` leaves nothing out. */
const step = wholeOr(1, 149);
const tried = wholeOr<readonly Fault["kind"][]>(kinds, ["EIO", "torn", "kill"]);

let folder: string;
let window: string;
let injector: Injector;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waymark-session-faults-"));
  window = join(folder, "window.mjs");
  const entry = join(import.meta.dirname, "session-window.ts");
  buildSync({ entryPoints: [entry], outfile: window, bundle: true, platform: "node", format: "esm", target: "node20" });
  injector = openInjector(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

type Said = { readonly k?: number; readonly status?: string; readonly mistaken?: unknown; readonly end?: true };

function walk(fault: Fault, area: string, mark: string): Promise<readonly Said[]> {
  const { env, args } = injector.prepare(fault, area, mark);
  return saidBy<Said>([...args, window, area], env);
}

/** One walk with one fault. */
async function strike(fault: Fault): Promise<Strike> {
  const area = mkdtempSync(join(folder, "area-"));
  const mark = `${area}.fired`;
  const said = await walk(fault, area, mark);
  const about = `${fault.call} ${fault.n} ${fault.kind}: ${JSON.stringify(said)}`;
  expect(
    said.filter(({ mistaken }) => mistaken !== undefined),
    about,
  ).toEqual([]);
  const recorded = new Set(said.filter(({ status }) => status === "recorded").map(({ k }) => k)).size;
  const isEnded = said.some(({ end }) => end);
  if (isEnded) expect(recorded, about).toBe(sessionScript.length);

  const shown = join(area, ".waymark/sessions/survey-1.json");
  const text = existsSync(shown) ? readFileSync(shown, "utf8") : undefined;
  const session = openSession(area, "survey-1");
  const events = await session.events();
  const count = sessionScript.findIndex((_, at) => sessionScript.slice(0, at).flat().length === events.length);
  const known = count < 0 ? sessionScript.length : count;
  expect(events, about).toEqual(sessionScript.slice(0, known).flat());
  expect(known, about).toBeGreaterThanOrEqual(recorded);
  const views = [known, known - 1].map((at) =>
    at <= 0 ? undefined : sessionFileText("survey-1", replay(sessionScript.slice(0, at).flat())),
  );
  expect(views, about).toContain(text);

  const { found, seen } = await session.look();
  expect(["current", "behind"], about).toContain(found.kind);
  const next = sessionScript[seen];
  if (next !== undefined) expect((await session.append(seen, next)).status, about).toBe("recorded");
  expect(auditJournal(area, { kind: "session", name: "survey-1" }).breaks, about).toEqual([]);
  session.close();
  const isFired = existsSync(mark);
  rmSync(area, { recursive: true });
  return { isFired, acknowledged: recorded };
}

it("a phased session: every promise holds after every fault", untimed, async () => {
  const series = calls.flatMap((call) => tried.map((kind) => ({ call, kind, step })));
  const { fired, acknowledged } = await goThrough("a phased session", series, strike);
  report({ part: "a phased session", faults: fired, acknowledged, how: injector.name });
  expect(fired).toBeGreaterThan(0);
});
