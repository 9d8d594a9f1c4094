import type { Attempt, MapRow } from "../../http/board/board-data.ts";

/** Something that happened at a step, at a time. */
export type Happening = {
  readonly at: number;
  readonly workflow: string;
  readonly step: string;
  readonly words: string;
};

/** Everything that the attempts of a run tell of, oldest first: what the replay steps through. */
export function happenings(attempts: readonly Attempt[]): readonly Happening[] {
  const found = attempts.flatMap(({ workflow, step, label, startedAt, endedAt, state, handIns }) => {
    const said = (at: string, words: string): Happening => ({
      ...{ at: Date.parse(at), workflow, step },
      words: `${label} ${words}`,
    });
    return [
      said(startedAt, "opened"),
      ...handIns.map(({ at }) => said(at, "handed in")),
      ...handIns.flatMap(({ outcome, endedAt: end }) => {
        const words = outcomeWords[outcome];
        return end === undefined || words === undefined ? [] : [said(end, words)];
      }),
      ...(endedAt === undefined ? [] : [said(endedAt, endWords[state])]),
    ];
  });
  return found.sort((one, other) => one.at - other.at);
}

const outcomeWords: Readonly<Record<string, string>> = { refused: "refused", declined: "sent back" };
const endWords = { open: "ended", completed: "completed", left: "left", superseded: "begun anew" } as const;

/** The map as it was at a time: what was done by then, what was open, what waited. */
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

function signAt({ endedAt, state, handIns, waits }: Attempt, time: number): string {
  const isBefore = (at: string | undefined): boolean => at !== undefined && Date.parse(at) <= time;
  const refused = handIns.filter(
    ({ outcome, endedAt: end, at }) => outcome === "refused" && isBefore(end ?? at),
  ).length;
  if (isBefore(endedAt)) return state === "completed" ? (refused > 0 ? "r" : "d") : ".";
  if (waits.some(({ from, to }) => isBefore(from) && !isBefore(to))) return "w";
  return refused > 1 ? "s" : "o";
}
