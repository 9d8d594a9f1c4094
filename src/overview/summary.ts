import type { Mapped, StepStanding } from "../engine/standing.ts";
import type { StandsAs } from "./stands-as.ts";

/** One run in a list: small, whatever its history holds. */
export type RunSummary = {
  /** Names it in links: never joined to a path, always looked up. */
  readonly key: string;
  readonly kind: "bot" | "session";
  readonly name: string;
  readonly run?: string;
  /** What people know it by: a session's target, else its name. */
  readonly title: string;
  /** The workflow of a session; "bot" otherwise. */
  readonly workflow: string;
  readonly stands: StandsAs;
  /** One text for each workflow, with one sign for each step: see `signs`. */
  readonly map: readonly { readonly workflow: string; readonly signs: string }[];
  /** The step that it is at; null where it is done. */
  readonly at: (StepStanding & { readonly workflow: string }) | null;
  /** How often gates have said no in the attempts that count or are open. */
  readonly refusals: number;
  readonly completed: number;
  readonly steps: number;
  readonly changed: string | null;
  readonly records: number;
  readonly head: string;
};

/** What the signs of a map mean. */
export const signs = {
  done: "d",
  doneAfterRefusal: "r",
  skipped: "k",
  open: "o",
  waits: "w",
  stuck: "s",
  next: "n",
  toCome: ".",
} as const;

/** A run that nothing has happened in for so long is quiet, in milliseconds. */
const quietAfter = 12 * 60 * 60 * 1000;

/** A run as a list shows it; undefined where nothing has begun yet. */
export function summaryOf(mapped: Omit<Mapped, "plan">, now: Date): RunSummary | undefined {
  const { id, desk, workflows, seen, head } = mapped;
  const hasBegun = desk.session !== null || desk.moves.length > 0;
  if (!hasBegun) return undefined;
  const steps = workflows.flatMap(({ steps: own, workflow }) => own.map((step) => ({ ...step, workflow })));
  const turn = steps.filter(({ state }) => state === "started" || state === "next");
  const focus = desk.focus?.workflow;
  const at =
    turn.find(({ waitingSince }) => waitingSince !== undefined) ??
    turn.find(({ stuck }) => stuck) ??
    turn.find(({ workflow }) => workflow === focus) ??
    turn.find(({ state }) => state === "started") ??
    turn[0] ??
    null;
  return {
    key: runKey(id),
    ...{ kind: id.kind, name: id.name, ...(id.run === undefined ? {} : { run: id.run }) },
    title: desk.session?.target ?? id.run ?? id.name,
    workflow: desk.session?.workflow ?? "bot",
    stands: standsAs(mapped, at, now),
    map: workflows.map(({ workflow, steps: own }) => ({ workflow, signs: own.map(signOf).join("") })),
    at,
    refusals: steps.reduce((sum, { refused = 0 }) => sum + refused, 0),
    completed: steps.filter(({ state }) => isDone(state)).length,
    steps: steps.length,
    changed: desk.changedAt,
    records: seen,
    head,
  };
}

/** The name of a run in links. */
export function runKey({
  kind,
  name,
  run,
}: {
  readonly kind: string;
  readonly name: string;
  readonly run?: string;
}): string {
  return [kind, name, ...(run === undefined ? [] : [run])].map(encodeURIComponent).join(":");
}

/** How many runs stand as what; those that have not begun are none of them. */
export function countsOf(runs: readonly { readonly stands: StandsAs | null }[]): Readonly<Record<StandsAs, number>> {
  const counts = { waits: 0, stuck: 0, working: 0, quiet: 0, finished: 0, archived: 0 };
  for (const { stands } of runs) if (stands !== null) counts[stands] += 1;
  return counts;
}

function standsAs(
  { desk, workflows }: Pick<Mapped, "desk" | "workflows">,
  at: StepStanding | null,
  now: Date,
): StandsAs {
  if (desk.archivedAt !== null) return "archived";
  if (at?.waitingSince !== undefined) return "waits";
  if (at?.stuck) return "stuck";
  if (workflows.length > 0 && workflows.every(({ finished }) => finished)) return "finished";
  return now.getTime() - Date.parse(desk.changedAt ?? "") > quietAfter ? "quiet" : "working";
}

function isDone(state: StepStanding["state"]): boolean {
  return state === "completed" || state === "vouched" || state === "skipped";
}

/** The sign of a step on the map. */
export function signOf({ state, waitingSince, stuck, refused = 0 }: StepStanding): string {
  switch (state) {
    case "completed":
      return refused > 0 ? signs.doneAfterRefusal : signs.done;
    case "vouched":
      return signs.done;
    case "skipped":
      return signs.skipped;
    case "started":
      return waitingSince !== undefined ? signs.waits : stuck ? signs.stuck : signs.open;
    case "next":
      return signs.next;
    case "waiting":
      return signs.toCome;
  }
}
