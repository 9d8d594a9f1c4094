import { expect, test } from "vitest";
import type { Event } from "../../src/workflow/events.ts";
import { runCli } from "../command-line.ts";
import { forge } from "../forge.ts";
import { sitDown } from "../people.ts";
import { callPhase, emptyProject } from "../phased.ts";
import type { Project } from "../project.ts";
import { openWindow } from "../window.ts";

/** A review loop with a step before and a step after it. */
const page = `---
outcomes: [done, no-go]
---
# Change

## Phase 1: Build
\`\`\`yaml gate
evidence_schema:
  summary: { type: string, required: true }
\`\`\`

## Phase 2: Review
\`\`\`yaml gate
evidence_schema:
  findings: { type: integer, required: true }
then:
  - { when: findings > 0, back_to: build, at_most: 1 }
\`\`\`

## Phase 3: Ship
\`\`\`yaml gate
evidence_schema:
  version: { type: string, required: true }
\`\`\`
`;

type Walk = { readonly project: Project; readonly file: string; readonly session: string };

/** Walks a session through the given completions: a text builds or ships, a number reviews. */
async function walked(...completions: readonly [phase: number, evidence: object][]): Promise<Walk> {
  const project = emptyProject();
  project.write(".waymark/workflows/change.md", page);
  const window = await openWindow(project.root);
  const { session_id: session } = await callPhase(window, "start_workflow", { workflow_type: "change" });
  await goOn({ project, session }, ...completions);
  return { project, session, file: `.waymark/journal/sessions/${session}.jsonl` };
}

async function goOn(
  { project, session }: Pick<Walk, "project" | "session">,
  ...completions: readonly [phase: number, evidence: object][]
): Promise<void> {
  const window = await openWindow(project.root);
  for (const [phase, evidence] of completions)
    await callPhase(window, "complete_phase", { session_id: session, phase, evidence });
  await window.close();
}

async function verified({ project }: Walk, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const command = ["verify", "--json", "--require", "change", "--root", project.root, ...args];
  const { code, stdout } = await runCli(command);
  return { code, said: JSON.parse(stdout).required.problems.join("; ") };
}

const build: [number, object] = [1, { summary: "built" }];
const review = (findings: number): [number, object] => [2, { findings }];
const ship: [number, object] = [3, { version: "1.0" }];

/** Changes the nth event of a type. */
function nth(type: Event["type"], count: number, change: (event: Event) => Event | readonly Event[]) {
  let seen = 0;
  return (event: Event): Event | readonly Event[] => {
    if (event.type !== type) return event;
    seen += 1;
    return seen === count ? change(event) : event;
  };
}

/** The step that an event is about, as the record of what follows names it. */
function at(event: Event): { at: string; by: string; workflow: string; pass: number; step: string; attempt: number } {
  if (!("attempt" in event) || event.pass === undefined || event.attempt === undefined) throw new Error(event.type);
  const { by, workflow, pass, step, attempt } = event;
  return { at: event.at, by, workflow, pass, step, attempt };
}

test("an end that no completion led to does not count, whoever the record says ended it", async () => {
  for (const proof of [{}, { level: "elicited" as const }]) {
    const walk = await walked(build);
    expect((await verified(walk)).code).toBe(1);
    const ended = (event: Event): Event => ({ type: "finished", ...at(event), outcome: "done", ...proof });
    forge(
      walk.project,
      walk.file,
      nth("started", 2, (event) => [event, ended(event)]),
    );
    expect(await verified(walk)).toEqual({ code: 1, said: expect.stringContaining("ends as done") });
  }
});

test("an end as an outcome that the author did not declare does not count", async () => {
  const walk = await walked(build);
  const ended = (event: Event): Event => ({ type: "finished", ...at(event), outcome: "great", level: "elicited" });
  forge(
    walk.project,
    walk.file,
    nth("started", 2, (event) => [event, ended(event)]),
  );
  expect(await verified(walk, "--outcome", "great")).toEqual({
    code: 1,
    said: expect.stringContaining("the record of phase 2 ends as great, but nothing led there"),
  });
});

test("a way back that leaves a step of the loop in place is a loop cut short", async () => {
  const walk = await walked(build, review(2), build, review(0), ship);
  expect(await verified(walk)).toEqual({ code: 0, said: "" });
  let seen = 0;
  forge(walk.project, walk.file, (event) => {
    if (event.type === "went_back") return { ...event, supersedes: [] };
    if (!("step" in event) || event.step !== "2") return event;
    if (event.type === "completed") seen += 1;
    return seen > 1 || (seen === 1 && event.type === "started") ? [] : event;
  });
  expect(await verified(walk)).toEqual({
    code: 1,
    said: expect.stringContaining(
      "phase 2 leads back to phase 1 (again: phase 2), but the record leads back to phase 1;",
    ),
  });
});

test("a way back that no completion took is named", async () => {
  const walk = await walked(build, review(0), ship);
  const back = (event: Event): Event => ({ type: "went_back", ...at(event), supersedes: [], from: "3", route: 0 });
  forge(
    walk.project,
    walk.file,
    nth("started", 3, (event) => [event, back(event), event]),
  );
  expect(await verified(walk)).toEqual({
    code: 1,
    said: expect.stringContaining("the record of phase 3 leads back to phase 3, but nothing led there"),
  });
});

test("a walk that waits at its bound is not finished", async () => {
  const walk = await walked(build, review(2), build, review(1));
  const last = page.slice(0, page.indexOf("## Phase 3"));
  const short = await walked();
  expect(await verified(walk)).toEqual({ code: 1, said: expect.stringContaining("phase 3 is missing") });
  short.project.write(".waymark/workflows/change.md", last);
  const window = await openWindow(short.project.root);
  const { session_id } = await callPhase(window, "start_workflow", { workflow_type: "change", target_file: "b" });
  await goOn({ project: short.project, session: session_id }, build, review(2), build, review(1));
  const atBound = await verified(short, "--target", "b");
  expect(atBound).toEqual({ code: 1, said: expect.stringContaining("phase 2 led back as often as it may") });
});

test("a walk that went on from its bound without a person is found out", async () => {
  const walk = await walked(build, review(2), build, review(1));
  const person = sitDown().runs(walk.project, ["answer", walk.session, "Good enough.", "--continue"]);
  await person.sees("the work goes on");
  await person.ends();
  await goOn(walk, ship);
  expect((await verified(walk)).code).toBe(1);
  expect((await verified(walk, "--allow-waived")).code).toBe(0);
  forge(walk.project, walk.file, (event) => (event.type === "answered" ? [] : event));
  expect(await verified(walk, "--allow-waived")).toEqual({
    code: 1,
    said: expect.stringContaining("phase 2 led back as often as it may"),
  });
});

test("a bound exceeded is found out: one more round that no person allowed", async () => {
  const walk = await walked(build, review(2), build, review(1));
  const person = sitDown().runs(walk.project, ["answer", walk.session, "Once more.", "--again"]);
  await person.sees("leads back once more");
  await person.ends();
  await goOn(walk, build, review(0), ship);
  expect((await verified(walk, "--allow-waived")).code).toBe(0);
  forge(walk.project, walk.file, (event) =>
    event.type === "answered" || (event.type === "blocked" && event.bound !== undefined) ? [] : event,
  );
  expect(await verified(walk, "--allow-waived")).toEqual({
    code: 1,
    said: expect.stringContaining("phase 2 stops at its bound, but the record leads back"),
  });
});

test("a person's choice of what follows counts only with a waiver of a field that routes read", async () => {
  const walk = await walked(build, review(2), build, review(0), ship);
  const waived = (event: Event): Event => ({
    type: "waived",
    ...at(event),
    fields: ["summary"],
    reason: "It is fine.",
    follows: "next",
    level: "elicited",
  });
  let reviews = 0;
  forge(walk.project, walk.file, (event) => {
    const isReview = event.type === "completed" && event.step === "2";
    if (isReview) reviews += 1;
    return isReview && reviews === 2
      ? [waived(event), { ...event, evidence: { findings: 3 }, taken: { route: "person" } }]
      : event;
  });
  expect(await verified(walk, "--allow-waived")).toEqual({
    code: 1,
    said: expect.stringContaining("phase 2 stops at its bound, but the record goes on to the next step"),
  });
});

test("a record with a bound, route or answer that is none cannot be part of a history", async () => {
  const walk = await walked(build, review(2), build, review(1));
  const odd: readonly [Event["type"], object][] = [
    ["blocked", { bound: "constructor" }],
    ["went_back", { route: { toString: 1 } }],
    ["went_back", { from: 3 }],
  ];
  for (const [type, change] of odd)
    expect(() =>
      forge(walk.project, walk.file, (event) => (event.type === type ? { ...event, ...change } : event)),
    ).toThrow("could not be read back");
});
