import { isPersonsClient, type StepStatus, type StreamOverview } from "../../engine/run-status.ts";
import { defined } from "../../kit/defined.ts";
import { outcomeOf } from "../../workflow/position.ts";
import { sessionRun } from "../../workflow/session-view.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { countRunEvidence } from "./evidence.ts";
import type { EvidenceCounts } from "./evidence-text.ts";
import type { RunCondition } from "./run-condition.ts";

/** One run in a list; small, however long its history. */
export type RunSummary = {
  /** Names it in links; always looked up, never joined to a path. */
  readonly key: string;
  readonly kind: "bot" | "session";
  readonly name: string;
  readonly run?: string;
  /** The name people know it by: a session's target, otherwise its name. */
  readonly title: string;
  /** The workflow of a session, or the bot's name. */
  readonly workflow: string;
  readonly stands: RunCondition;
  /** One text per workflow, with one sign per step: see `signs`. */
  readonly map: readonly { readonly workflow: string; readonly signs: string }[];
  /** The current step; null if the run is done. */
  readonly at: (StepStatus & { readonly workflow: string }) | null;
  /** A person answered last, and the assistant has not gone on since. */
  readonly answered: boolean;
  /** The refusals by gates in attempts that count or are open. */
  readonly refusals: number;
  /** The evidence of the steps that count, by what is claimed and what is verified. */
  readonly evidence: EvidenceCounts;
  readonly completed: number;
  readonly steps: number;
  /** How a session ended before its last step. */
  readonly outcome?: string;
  readonly changed: string | null;
  readonly records: number;
  readonly head: string;
};

/** The signs of a map. */
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

/** A run without changes for this long is quiet, in milliseconds. */
const quietAfter = 15 * 60 * 1000;

/** Summarizes a run for a list; undefined if it has not started. */
export function summarizeRun(mapped: Omit<StreamOverview, "plan">, now: Date): RunSummary | undefined {
  const { id, stream, workflows, seen, head } = mapped;
  const hasBegun = stream.session !== null || stream.moves.length > 0;
  if (!hasBegun) return undefined;
  const steps = workflows.flatMap(({ steps: own, workflow }) => own.map((step) => ({ ...step, workflow })));
  const turn = steps.filter(({ state }) => state === "started" || state === "next");
  const focus = stream.focus?.workflow;
  const at =
    turn.find(({ blocked }) => blocked !== undefined) ??
    turn.find(({ waitingSince }) => waitingSince !== undefined) ??
    turn.find(({ stuck }) => stuck) ??
    turn.find(({ workflow }) => workflow === focus) ??
    turn.find(({ state }) => state === "started") ??
    turn[0] ??
    null;
  return {
    key: runKey(id),
    ...{ kind: id.kind, name: id.name, ...defined({ run: id.run }) },
    title: itemTitle(stream) ?? stream.session?.target ?? id.run ?? id.name,
    workflow: stream.session?.workflow ?? id.name,
    stands: runCondition(mapped, at, now),
    map: workflows.map(({ workflow, steps: own }) => ({ workflow, signs: own.map(stepSign).join("") })),
    at,
    answered: at?.answered === true || (at?.state === "next" && isPersonsClient(stream.moves.at(-1)?.client)),
    refusals: steps.reduce((sum, { refused = 0 }) => sum + refused, 0),
    evidence: countRunEvidence(stream),
    completed: steps.filter(({ state }) => isDone(state)).length,
    steps: steps.length,
    ...defined({ outcome: endOf(stream) }),
    changed: stream.changedAt,
    records: seen,
    head,
  };
}

/** An item and its title; undefined for a run that is not an item. */
function itemTitle({ session }: StreamOverview["stream"]): string | undefined {
  if (session?.item === undefined) return undefined;
  const { id, values } = session.item;
  return typeof values.title === "string" && values.title !== id ? `${id}: ${values.title}` : id;
}

function endOf(stream: StreamOverview["stream"]): string | undefined {
  const run = sessionRun(stream);
  const outcome = run === undefined ? undefined : outcomeOf(run);
  return outcome === "done" ? undefined : outcome;
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

/** Reverses `runKey`; undefined for what is no key. */
export function idOfKey(key: string): StreamId | undefined {
  const parts = key.split(":");
  const [kind, name, run] = parts.map((part) => unlessMalformed(part));
  if (parts.length > 3 || (kind !== "bot" && kind !== "session") || name === undefined) return undefined;
  if (parts.length === 3 && run === undefined) return undefined;
  return { kind, name, ...defined({ run }) };
}

function unlessMalformed(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** Counts runs by status; runs that have not started are left out. */
export function countByCondition(
  runs: readonly { readonly stands: RunCondition | null }[],
): Readonly<Record<RunCondition, number>> {
  const counts = { waits: 0, stuck: 0, working: 0, quiet: 0, finished: 0, archived: 0 };
  for (const { stands } of runs) if (stands !== null) counts[stands] += 1;
  return counts;
}

function runCondition(
  { stream, workflows }: Pick<StreamOverview, "stream" | "workflows">,
  at: StepStatus | null,
  now: Date,
): RunCondition {
  if (stream.archivedAt !== null) return "archived";
  if (at?.waitingSince !== undefined) return "waits";
  if (at?.stuck) return "stuck";
  if (workflows.length > 0 && workflows.every(({ finished }) => finished)) return "finished";
  return now.getTime() - Date.parse(stream.changedAt ?? "") > quietAfter ? "quiet" : "working";
}

function isDone(state: StepStatus["state"]): boolean {
  return ["completed", "vouched", "skipped", "passed_over"].includes(state);
}

/** The sign of a step on the map. */
export function stepSign({ state, waitingSince, stuck, refused = 0 }: StepStatus): string {
  switch (state) {
    case "completed":
      return refused > 0 ? signs.doneAfterRefusal : signs.done;
    case "vouched":
      return signs.done;
    case "skipped":
    case "passed_over":
      return signs.skipped;
    case "started":
      return waitingSince !== undefined ? signs.waits : stuck ? signs.stuck : signs.open;
    case "next":
      return signs.next;
    case "waiting":
      return signs.toCome;
  }
}
