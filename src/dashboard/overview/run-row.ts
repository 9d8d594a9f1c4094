import { isPersonsClient, type StepStatus, type StreamOverview } from "../../engine/run-status.ts";
import { defined } from "../../kit/defined.ts";
import { approvalWaitText } from "../../messages/approval-texts.ts";
import { stepLabel } from "../../messages/stream-words.ts";
import { outcomeOf } from "../../workflow/position.ts";
import { sessionRun } from "../../workflow/session-view.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import type { RunCondition } from "./conditions.ts";
import { cutLine } from "./cut-values.ts";
import { countRunEvidence } from "./evidence.ts";
import { runKey } from "./run-key.ts";
import type { RowStep, RunRow } from "./run-row-data.ts";
import type { StepSign } from "./step-signs.ts";

/** A run without changes for this long is quiet, in milliseconds. */
export const quietAfter = 15 * 60 * 1000;

/** Builds the row of a run, or undefined if it has not started. */
export function runRow(mapped: Omit<StreamOverview, "plan">, now: Date): RunRow | undefined {
  const { id, stream, workflows, seen, head } = mapped;
  const { session } = stream;
  if (session === null && stream.moves.length === 0) return undefined;
  const at = currentStepOf(mapped);
  const stands = runCondition(mapped, at, now);
  const steps = workflows.flatMap((one) => one.steps);
  const isAnswered = at?.answered === true || (at?.state === "next" && isPersonsClient(stream.moves.at(-1)?.client));
  const answered = isAnswered ? { answered: true as const } : {};
  const ended = outcomeIn(stream);
  return {
    ...{ key: runKey(id), kind: id.kind, ...defined({ run: id.run }), stands },
    title: cutLine(itemTitle(session) ?? session?.target ?? id.run ?? id.name),
    workflow: cutLine(session?.workflow ?? id.name),
    map: workflows.map((one) => ({ workflow: cutLine(one.workflow), signs: one.steps.map(stepSign).join("") })),
    ...(session === null ? {} : { first: session.first }),
    ...itemParts(session),
    ...(at === undefined || stands === "finished" ? {} : { now: { ...stepRow(id.kind, at), ...answered } }),
    ...answered,
    refusals: steps.reduce((sum, { refused = 0 }) => sum + refused, 0),
    evidence: countRunEvidence(stream),
    completed: steps.filter(({ state }) => isDone(state)).length,
    steps: steps.length,
    ...(ended === undefined ? {} : { outcome: cutLine(ended) }),
    changed: stream.changedAt,
    records: seen,
    head: head.slice(0, 16),
  };
}

/** A step with its workflow. */
export type PlacedStep = StepStatus & { readonly workflow: string };

/** Finds the step that matters most of those whose turn it is: blocked, waiting, stuck, of the current workflow or after it. */
export function currentStepOf({
  stream,
  workflows,
}: Pick<StreamOverview, "stream" | "workflows">): PlacedStep | undefined {
  const focus = workflows.findIndex(({ workflow }) => workflow === stream.focus?.workflow);
  const turn = [...workflows.slice(Math.max(focus, 0)), ...workflows.slice(0, Math.max(focus, 0))]
    .flatMap(({ steps, workflow }) => steps.map((step) => ({ ...step, workflow })))
    .filter(({ state }) => state === "started" || state === "next");
  return (
    turn.find(({ blocked }) => blocked !== undefined) ??
    turn.find(({ waitingSince }) => waitingSince !== undefined) ??
    turn.find(({ stuck }) => stuck) ??
    turn.find(({ workflow }) => workflow === stream.focus?.workflow) ??
    turn.find(({ state }) => state === "started") ??
    turn[0]
  );
}

/** Describes an open step, or the next one. */
export function stepRow(kind: RunRow["kind"], at: PlacedStep): RowStep {
  const { workflow, step, since, waitingSince, checkingSince, answered, refused, turnedDown, sameGaps, round, items } =
    at;
  return {
    ...{ workflow, step, label: cutLine(stepLabel({ kind }, at)) },
    ...defined({ since, waitingSince, checkingSince, answered, refused, turnedDown, sameGaps, round, items }),
    ...defined({
      waitingFor: waitingForText(at),
      runnerChecks: cutLines(at.runnerChecks),
      missing: cutLines(at.missing),
    }),
    ...(at.blocked === undefined ? {} : { blocked: cutLine(at.blocked, 240) }),
    ...(at.client === undefined ? {} : { client: cutLine(at.client, 60) }),
    ...(at.cameBackFrom === undefined ? {} : { cameBackFrom: cutLine(at.cameBackFrom, 60) }),
  };
}

/** Names the people a step waits for. */
export function waitingForText({ waitingFor }: StepStatus): string | undefined {
  return waitingFor === undefined ? undefined : cutLine(approvalWaitText(waitingFor.needs, waitingFor.given));
}

function cutLines(lines: readonly string[] | undefined): readonly string[] | undefined {
  return lines?.slice(0, 20).map((one) => cutLine(one, 100));
}

/** An item and its title; undefined for a run that is not an item. */
function itemTitle(session: StreamSnapshot["session"]): string | undefined {
  if (session?.item === undefined) return undefined;
  const { id, values } = session.item;
  return typeof values.title === "string" && values.title !== id ? `${id}: ${values.title}` : id;
}

/** The run that an item's session belongs to: a session, or a run of a bot. */
function itemParts(session: StreamSnapshot["session"]): Pick<RunRow, "itemOf"> {
  if (session?.item === undefined) return {};
  const { parent } = session.item;
  const [, bot, run] = /^([^./]+)\.[^#/]+(?:#(.+))?$/.exec(parent) ?? [];
  return {
    itemOf: runKey(
      bot === undefined ? { kind: "session", name: parent } : { kind: "bot", name: bot, ...defined({ run }) },
    ),
  };
}

/** How a session ended before its last step. */
function outcomeIn(stream: StreamSnapshot): string | undefined {
  const run = sessionRun(stream);
  const outcome = run === undefined ? undefined : outcomeOf(run);
  return outcome === "done" ? undefined : outcome;
}

function runCondition(
  { stream, workflows }: Pick<StreamOverview, "stream" | "workflows">,
  at: StepStatus | undefined,
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
export function stepSign({ state, waitingSince, stuck, refused = 0 }: StepStatus): StepSign {
  switch (state) {
    case "completed":
      return refused > 0 ? "r" : "d";
    case "vouched":
      return "d";
    case "skipped":
    case "passed_over":
      return "k";
    case "started":
      return waitingSince !== undefined ? "w" : stuck ? "s" : "o";
    case "next":
      return "n";
    case "waiting":
      return ".";
  }
}
