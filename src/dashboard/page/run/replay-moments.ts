import type { Attempt, MapRow } from "../../api/board-data.ts";

/** Something that happened at a step, at a time. */
export type ReplayEvent = {
  readonly at: number;
  readonly workflow: string;
  readonly step: string;
  readonly text: string;
};

/** Lists everything that happened in a run's attempts, oldest first, for the replay. */
export function replayEvents(attempts: readonly Attempt[]): readonly ReplayEvent[] {
  const found = attempts.flatMap(({ workflow, step, label, startedAt, endedAt, state, handIns: submissions }) => {
    const said = (at: string, words: string): ReplayEvent => ({
      ...{ at: Date.parse(at), workflow, step },
      text: `${label} ${words}`,
    });
    return [
      said(startedAt, "opened"),
      ...submissions.map(({ at }) => said(at, "submitted")),
      ...submissions.flatMap(({ outcome, endedAt: end }) => {
        const words = outcomeTexts[outcome];
        return end === undefined || words === undefined ? [] : [said(end, words)];
      }),
      ...(endedAt === undefined ? [] : [said(endedAt, endTexts[state])]),
    ];
  });
  return found.sort((one, other) => one.at - other.at);
}

const outcomeTexts: Readonly<Record<string, string>> = { refused: "refused", declined: "rejected" };
const endTexts = { open: "ended", completed: "completed", left: "left", superseded: "restarted" } as const;

/** Reconstructs the map at a time. */
export function mapAt(workflows: readonly MapRow[], attempts: readonly Attempt[], time: number): readonly MapRow[] {
  return workflows.map((row) => ({
    ...row,
    steps: row.steps.map((step) => {
      const own = attempts.filter(
        (one) => one.workflow === row.workflow && one.step === step.step && Date.parse(one.startedAt) <= time,
      );
      const last = own.at(-1);
      return { ...step, sign: last === undefined ? (step.sign === "k" ? "k" : ".") : signAt(last, time) };
    }),
  }));
}

function signAt({ endedAt, state, handIns: submissions, waits }: Attempt, time: number): string {
  const isBefore = (at: string | undefined): boolean => at !== undefined && Date.parse(at) <= time;
  const refused = submissions.filter(
    ({ outcome, endedAt: end, at }) => outcome === "refused" && isBefore(end ?? at),
  ).length;
  if (isBefore(endedAt)) return state === "completed" ? (refused > 0 ? "r" : "d") : ".";
  if (waits.some(({ from, to }) => isBefore(from) && !isBefore(to))) return "w";
  return refused > 1 ? "s" : "o";
}
