import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { auditJournal } from "../../src/stores/file/audit-journal.ts";
import type { Event } from "../../src/workflow/events.ts";
import { callPhase } from "../phased.ts";
import { wholeOr } from "../whole.ts";
import { openWindow } from "../window.ts";
import { report } from "./figures.ts";
import { goThrough, type Strike, untimed } from "./go-through.ts";
import { type Fault, type Injector, openInjector } from "./injector.ts";
import { serve } from "./serve.ts";

/** A kill at every call that changes the disk; `npm test` takes samples. */
const series = wholeOr(
  (["write", "fsync", "rename", "link", "unlink", "mkdir", "ftruncate"] as const).map((call) => ({
    ...{ call, kind: "kill" as const, step: 1 },
  })),
  [{ call: "write", kind: "kill", step: 5 } as const],
);

const page = `---
inputs:
  ui: { type: boolean, default: false }
outcomes: [done, shipped]
---
## Phase 1: Build

\`\`\`yaml gate
evidence_schema:
  summary: { type: string, required: true }
\`\`\`

## Phase 2: Screens

\`\`\`yaml gate
when: inputs.ui == true
evidence_schema:
  screens: { type: integer, required: true }
\`\`\`

## Phase 3: Review

\`\`\`yaml gate
evidence_schema:
  findings: { type: integer, required: true }
then:
  - { when: findings > 0, back_to: build, at_most: 2 }
  - { end: shipped }
\`\`\`
`;

/** The completions of a walk that goes back once, and ends. */
const script = [
  { phase: 1, evidence: { summary: "first" } },
  { phase: 3, evidence: { findings: 2 } },
  { phase: 1, evidence: { summary: "second" } },
  { phase: 3, evidence: { findings: 0 } },
];

const marks = ["completed", "passed_over", "went_back", "started", "finished"];

let folder: string;
let injector: Injector;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "waymark-route-faults-"));
  injector = openInjector(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The events of a session, as type and step. */
function walked(area: string, session: string): readonly string[] {
  const file = join(area, ".waymark/journal/sessions", `${session}.jsonl`);
  const events: Event[] = existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .flatMap((line) => (line.endsWith("}") ? JSON.parse(line).events : []))
    : [];
  return events.flatMap((event) =>
    marks.includes(event.type) && "step" in event ? [`${event.type} ${event.step}`] : [],
  );
}

/** Walks under a kill, then goes on in another window with the completion that was not acknowledged. */
async function strike(fault: Fault): Promise<Strike> {
  const home = mkdtempSync(join(folder, "run-"));
  const [root, area] = [join(home, "root"), join(home, "area")];
  mkdirSync(join(root, ".waymark/workflows"), { recursive: true });
  mkdirSync(area);
  writeFileSync(join(root, ".waymark/workflows/change.md"), page);
  const mark = join(home, "fired");
  const server = serve(root, area, injector.prepare(fault, area, mark));
  await server.initialize();
  const started = await server.call("start_workflow", { workflow_type: "change" });
  let acknowledged = 0;
  let attempt = started?.attempt;
  for (const turn of started === undefined ? [] : script) {
    const answer = await server.call("complete_phase", { session_id: started?.session_id, attempt, ...turn });
    if (answer === undefined) break;
    expect(answer.checkpoint_passed, JSON.stringify(answer)).toBe(true);
    acknowledged += 1;
    attempt = answer.attempt;
  }
  await server.end();

  const window = await openWindow(root, { args: ["--project-area", area] });
  const about = `${fault.call} ${fault.n}, ${acknowledged} acknowledged`;
  const isDone = acknowledged === script.length;
  let session = started?.session_id ?? "";
  if (!isDone) {
    const resumed = await callPhase(window, "start_workflow", { workflow_type: "change" });
    if (session !== "" && acknowledged < script.length - 1) expect(resumed.session_id, about).toBe(session);
    session = resumed.resumed === false && session !== "" ? session : resumed.session_id;
    attempt ??= resumed.attempt;
    // sent again after a lost reply, with the attempt it was for, a completion counts once
    for (const turn of script.slice(acknowledged)) {
      const answer = await callPhase(window, "complete_phase", { session_id: session, attempt, ...turn });
      expect([answer.checkpoint_passed, answer.phase_completed], `${about}: ${JSON.stringify(answer)}`).toEqual([
        true,
        turn.phase,
      ]);
      attempt = answer.attempt;
    }
  }
  const state = await callPhase(window, "get_workflow_state", { session_id: session });
  expect(state, about).toMatchObject({ workflow_complete: true, outcome: "shipped" });
  expect(walked(area, session), about).toEqual([
    ...["started 1", "completed 1", "passed_over 2", "started 3"],
    ...["completed 3", "went_back 1", "started 1", "completed 1", "passed_over 2", "started 3"],
    ...["completed 3", "finished 3"],
  ]);
  expect(auditJournal(area, { kind: "session", name: session }).breaks, about).toEqual([]);
  await window.close();
  const isFired = existsSync(mark);
  rmSync(home, { recursive: true });
  return { isFired, acknowledged };
}

it("a walk with routes: killed at any write, nothing is lost and nothing happens twice", untimed, async () => {
  const { fired, acknowledged } = await goThrough("a walk with routes", series, strike);
  report({ part: "a walk with routes", faults: fired, acknowledged, how: injector.name });
  expect(fired).toBeGreaterThan(0);
});
