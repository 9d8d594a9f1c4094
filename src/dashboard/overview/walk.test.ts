import { describe, expect, it } from "vitest";
import type { Event } from "../../workflow/events.ts";
import { insightsReader } from "./insights.ts";
import { walkHistory } from "./walk.ts";

const ref = { workflow: "shape", pass: 1, step: "gather", attempt: 1 };
const moment = (minute: number): string => new Date(Date.UTC(2026, 0, 31, 10, minute)).toISOString();
const stamp = (minute: number): { at: string; by: string; client: string } => ({
  at: moment(minute),
  by: "a window",
  client: "Claude Code 2.1",
});
const judgedBy = "v1:gate=a;sequence=b";

const started: Event = { type: "started", ...stamp(0), ...ref, successor: null, judgedBy };
const refused = (minute: number, evidence: { readonly [field: string]: number }, ...fields: string[]): Event => ({
  type: "refused",
  ...stamp(minute),
  ...ref,
  code: "incomplete_checkpoint",
  evidence,
  judgedBy,
  missing: fields.map((field) => ({ field, kind: "required", text: `${field} (required)` })),
});
const submitted = (minute: number, digest: string, at = ref): Event => ({
  type: "handed_in",
  ...stamp(minute),
  ...at,
  evidence: { tests: 11, coverage: 90 },
  digest,
  judgedBy,
});
const completed = (minute: number, digest: string, at = ref): Event => ({
  type: "completed",
  ...stamp(minute),
  ...at,
  duration: 60 * minute,
  word: { level: "elicited" },
  fingerprint: "",
  successor: null,
  next: null,
  finished: true,
  digest,
  judgedBy,
});

describe("the walk of a history", () => {
  it("keeps every submission with its content, so that two can be compared", () => {
    const [attempt] = walkHistory([
      started,
      refused(1, { tests: 10 }, "coverage"),
      refused(2, { tests: 11 }, "coverage"),
    ]);
    expect(attempt).toMatchObject({ ...ref, state: "open", client: "Claude Code 2.1" });
    expect(attempt?.handIns).toMatchObject([
      { number: 1, outcome: "refused", evidence: { tests: 10 }, lacked: ["coverage"] },
      { number: 2, outcome: "refused", evidence: { tests: 11 }, sameGaps: true },
    ]);
    expect(attempt?.handIns[0]).not.toHaveProperty("sameGaps");
  });

  it("counts a blocked step as waiting until a person answers or waives, and knows when its items moved", () => {
    const blocked = (minute: number): Event => ({ type: "blocked", ...stamp(minute), ...ref, reason: "no printer" });
    const [attempt] = walkHistory([
      started,
      { type: "items_taken", ...stamp(1), ...ref, round: 1, list: "l", items: [] },
      blocked(2),
      { type: "answered", ...stamp(5), ...ref, text: "use the other", level: "elicited" },
      blocked(6),
      { type: "waived", ...stamp(8), ...ref, fields: ["output"], reason: "no printer", level: "elicited" },
      blocked(9),
    ]);
    expect(attempt?.itemsMoved).toEqual([moment(1)]);
    expect(attempt?.waits).toEqual([
      { from: moment(2), to: moment(5) },
      { from: moment(6), to: moment(8) },
      { from: moment(9) },
    ]);
  });

  it("does not call gaps the same where other fields are missing", () => {
    const [attempt] = walkHistory([started, refused(1, {}, "tests", "coverage"), refused(2, { tests: 1 }, "coverage")]);
    expect(attempt?.handIns[1]).not.toHaveProperty("sameGaps");
  });

  it("measures how long a person was waited for, for every answer", () => {
    const declined: Event = { type: "declined", ...stamp(7), ...ref, digest: "one", reason: "Too thin." };
    const [attempt] = walkHistory([started, submitted(2, "one"), declined, submitted(8, "two"), completed(30, "two")]);
    expect(attempt?.waits).toEqual([
      { from: moment(2), to: moment(7) },
      { from: moment(8), to: moment(30) },
    ]);
    expect(attempt?.handIns.map(({ outcome }) => outcome)).toEqual(["declined", "completed"]);
    expect(attempt?.handIns[0]).toMatchObject({ reason: "Too thin.", endedAt: moment(7) });
  });

  it("calls a submission replaced if another came while it was waiting", () => {
    const [attempt] = walkHistory([started, submitted(2, "one"), refused(3, { tests: 1 }, "coverage")]);
    expect(attempt?.handIns.map(({ outcome }) => outcome)).toEqual(["replaced", "refused"]);
    expect(attempt?.waits).toEqual([{ from: moment(2), to: moment(3) }]);
  });

  it("does not count a call out of turn as a submission", () => {
    const ahead: Event = { type: "refused", ...stamp(1), ...ref, code: "action_sequence_violation" };
    expect(walkHistory([started, ahead])[0]?.handIns).toEqual([]);
  });

  it("knows which attempts no longer count, and which were never completed", () => {
    const again: Event = { ...started, ...stamp(40), attempt: 2 };
    const states = (events: readonly Event[]): string[] => walkHistory(events).map(({ state }) => state);
    expect(states([started, submitted(2, "one"), completed(30, "one"), again])).toEqual(["superseded", "open"]);
    expect(states([started, again])).toEqual(["left", "open"]);
  });

  it("lists fifty thousand attempts at one step, each replacing the one before", () => {
    const many = Array.from({ length: 50_000 }, (_, at): readonly Event[] => {
      const attempt = at + 1;
      const begun: Event = { ...started, ...stamp(at), attempt };
      return at % 2 === 0 ? [begun] : [begun, completed(at, "one", { ...ref, attempt })];
    }).flat();
    const attempts = walkHistory(many);
    expect(attempts.map(({ attempt }) => attempt)).toEqual(Array.from(attempts, (_, at) => at + 1));
    const count = (state: string): number => attempts.filter((one) => one.state === state).length;
    expect([count("left"), count("superseded"), count("completed"), count("open")]).toEqual([25_000, 24_999, 1, 0]);
  });

  it("lists a hundred thousand refusals of one attempt", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => refused(at, { tests: at }, "coverage"));
    const submissions = walkHistory([started, ...many])[0]?.handIns ?? [];
    expect(submissions).toHaveLength(100_000);
    expect(submissions.at(-1)).toMatchObject({ number: 100_000, evidence: { tests: 99_999 }, sameGaps: true });
  });

  it("goes where an edit goes: what was open is left, and what the edit opens is open", () => {
    const adopted: Event = {
      type: "adopted",
      ...stamp(5),
      origin: "edited",
      workflow: "shape",
      step: "decide",
      state: "started",
      timestamp: "yesterday",
      completed: [],
      before: ["gather"],
      vouched: [{ workflow: "shape", step: "gather" }],
    };
    expect(walkHistory([started, adopted, submitted(6, "one", { ...ref, step: "decide" })])).toMatchObject([
      { step: "gather", state: "left", endedAt: moment(5) },
      { step: "decide", pass: 1, attempt: 1, state: "open", startedAt: moment(5), handIns: [{ outcome: "waits" }] },
    ]);
  });

  it("keeps what was completed in an earlier pass completed, and leaves what was open there", () => {
    const decide: Event = { ...started, ...stamp(31), step: "decide" };
    const restarted: Event = { ...started, ...stamp(40), pass: 2 };
    const walk = walkHistory([started, submitted(2, "one"), completed(30, "one"), decide, restarted]);
    expect(walk.map(({ step, pass, state }) => [step, pass, state])).toEqual([
      ["gather", 1, "completed"],
      ["decide", 1, "left"],
      ["gather", 2, "open"],
    ]);
  });

  it("counts nothing as done after a restart", () => {
    const decide: Event = { ...started, ...stamp(31), step: "decide" };
    const again: Event = { type: "began_anew", ...stamp(40), reason: "workflow_state.json was deleted" };
    const walk = walkHistory([started, completed(30, "one"), decide, again]);
    expect(walk.map(({ state, endedAt }) => [state, endedAt])).toEqual([
      ["superseded", moment(30)],
      ["left", moment(40)],
    ]);
  });

  it("lists attempts that started at the same moment in the order they started", () => {
    const steps = ["gather", "decide", "build"];
    const atOnce = steps.map((step): Event => ({ ...started, step }));
    const done = completed(0, "one", { ...ref, step: "decide" });
    expect(walkHistory([...atOnce, done]).map(({ step }) => step)).toEqual(steps);
  });
});

describe("insights", () => {
  const read = (...histories: readonly (readonly Event[])[]) => {
    const reader = insightsReader();
    for (const [at, events] of histories.entries()) {
      const feed = reader.stream({ kind: "bot", name: "story_bot", run: `run ${at}` });
      for (const event of events) feed(event);
    }
    return reader.insights();
  };
  const smooth = [started, submitted(2, "one"), completed(12, "one")];
  const rough = [started, refused(1, {}, "tests", "coverage"), refused(2, {}, "coverage"), ...smooth.slice(1)];

  it("tell the time at work without the time that people were waited for", () => {
    const [workflow] = read(smooth).workflows;
    expect(workflow?.steps).toMatchObject([
      { step: "gather", completed: 1, work: { times: 1, median: 120 }, waits: { times: 1, median: 600, declined: 0 } },
    ]);
  });

  it("count how often a gate passed the first submission, and what was missing most", () => {
    const [workflow] = read(smooth, rough).workflows;
    expect(workflow).toMatchObject({ workflow: "story_bot.shape", walks: 2, finished: 2, outOfTurn: 0 });
    expect(workflow?.steps[0]).toMatchObject({
      firstPass: { passed: 1, of: 2 },
      refusals: [{ code: "incomplete_checkpoint", times: 2 }],
      missed: [
        { field: "coverage", times: 2 },
        { field: "tests", times: 1 },
      ],
    });
  });

  it("come to the same if they are asked for after every event", () => {
    const [often, once] = [insightsReader(), insightsReader()];
    const id = { kind: "bot", name: "story_bot", run: "a" } as const;
    const feeds = [often.stream(id), once.stream(id)];
    const judged = rough.map((event, at) => ({ ...event, judgedBy: `v1:gate=${at};sequence=b` }));
    for (const event of [...judged, { ...started, step: "decide", pass: 1 }]) {
      for (const feed of feeds) feed(event);
      often.insights();
    }
    expect(often.insights()).toEqual(once.insights());
  });

  it("tell the versions of a definition apart by what judged, and count what is still open", () => {
    const newer = [started, refused(1, {}, "tests")].map((event) => ({ ...event, judgedBy: "v1:gate=c;sequence=b" }));
    const versions = read(smooth, newer).workflows[0]?.steps[0]?.versions ?? [];
    expect(versions.map(({ firstPass }) => firstPass)).toEqual(
      expect.arrayContaining([
        { passed: 1, of: 1 },
        { passed: 0, of: 1 },
      ]),
    );
    expect(new Set(versions.map(({ version }) => version)).size).toBe(2);
    const strict = smooth.map((event) => ({ ...event, judgedBy: `${judgedBy};settings=strict` }));
    expect(read(smooth, strict).workflows[0]?.steps[0]?.versions).toHaveLength(1);
  });

  it("follow first passes and waiting over time, week by week from Monday", () => {
    const later = (days: number) =>
      rough.map((event) => ({ ...event, at: new Date(Date.parse(event.at) + days * 86_400_000).toISOString() }));
    const [week, earlier] = read(smooth, later(7), later(8)).workflows[0]?.steps[0]?.weeks ?? [];
    expect(new Date(week?.since ?? "").getUTCDay()).toBe(1);
    expect(Date.parse(week?.since ?? "") - Date.parse(earlier?.since ?? "")).toBe(7 * 86_400_000);
    expect(earlier).toMatchObject({ firstPass: { passed: 1, of: 1 }, waits: { times: 1, median: 600 } });
    expect(week).toMatchObject({ firstPass: { passed: 0, of: 2 }, waits: { times: 2, median: 600 } });
  });
});
