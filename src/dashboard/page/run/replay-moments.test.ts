import { expect, test } from "vitest";
import type { Attempt, MapRow, ShownSubmission } from "../../api/board-data.ts";
import { timelineMarks, timelineSpans } from "../../overview/timeline/spans.ts";
import { timeScale } from "../../overview/timeline/time-scale.ts";
import { mapAt, replayEvents } from "./replay-moments.ts";

const at = (minutes: number): string => new Date(minutes * 60_000).toISOString();

const submission = (number: number, minutes: number, outcome: ShownSubmission["outcome"]): ShownSubmission => ({
  ...{ number, at: at(minutes), outcome, evidence: [], outputs: {}, content: [], checks: [], violations: [] },
  ...(outcome === "waits" ? {} : { endedAt: at(minutes) }),
});

const attempt: Attempt = {
  ...{ workflow: "survey", pass: 1, step: "1", label: "Phase 1: Look", attempt: 1, state: "completed" },
  startedAt: at(0),
  endedAt: at(10),
  handIns: [submission(1, 2, "refused"), submission(2, 4, "completed")],
  waits: [{ from: at(4), to: at(10) }],
  word: { level: "proven", by: ["dana"] },
};

const map: readonly MapRow[] = [
  {
    ...{ workflow: "survey", pass: 1, finished: false },
    steps: [1, 2].map((step) => ({ step: String(step), label: `Phase ${step}`, sign: "d", handIns: 0, refused: 0 })),
  },
];

test("the replay shows the map as it was: not started, open, waiting, done after a refusal", () => {
  const signs = (minutes: number): string | undefined =>
    mapAt(map, [attempt], minutes * 60_000)[0]
      ?.steps.map(({ sign }) => sign)
      .join("");
  expect([signs(-1), signs(1), signs(3), signs(5), signs(10)]).toEqual(["..", "o.", "o.", "w.", "r."]);
  expect(replayEvents([attempt]).map(({ text }) => text)).toEqual([
    "Phase 1: Look opened",
    "Phase 1: Look submitted",
    "Phase 1: Look refused",
    "Phase 1: Look submitted",
    "Phase 1: Look completed",
  ]);
});

test("work and waiting are drawn apart, with refusals and approvals", () => {
  const scale = timeScale(
    [0, 2, 4, 10].map((minutes) => minutes * 60_000),
    100,
  );
  expect(timelineSpans([attempt], scale, 0).map(({ kind }) => kind)).toEqual(["work", "waits"]);
  expect(timelineMarks([attempt], scale)).toEqual([
    { kind: "refused", x: 20 },
    { kind: "proven", x: 100 },
  ]);
});

test("twenty thousand attempts are drawn as no more pieces than there are pixels", () => {
  const many = Array.from(
    { length: 20_000 },
    (_, count): Attempt => ({
      ...attempt,
      startedAt: at(count * 20),
      endedAt: at(count * 20 + 10),
      waits: [{ from: at(count * 20 + 4), to: at(count * 20 + 10) }],
      handIns: [submission(1, count * 20 + 2, "refused")],
    }),
  );
  const scale = timeScale([0, 400_000 * 60_000], 600);
  expect(timelineSpans(many, scale, 0).length).toBeLessThanOrEqual(600);
  expect(timelineMarks(many, scale).length).toBeLessThanOrEqual(301);
});
