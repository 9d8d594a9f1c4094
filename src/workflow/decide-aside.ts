import { isBelow } from "../evidence/approval.ts";
import type { Correction } from "../evidence/correction.ts";
import { digestOf } from "../evidence/json.ts";
import { type CompleteCommand, type OpenCommand, secondsBetween, stampOf } from "./command.ts";
import type { Situation } from "./decide.ts";
import { declinedAt } from "./desk.ts";
import type { Event, Word } from "./events.ts";
import { wordAsked } from "./need.ts";
import type { Decision } from "./outcome.ts";
import { refuse } from "./refusals.ts";
import { inFocus } from "./route.ts";
import type { Workflow } from "./workflow.ts";

/** Decides the opening of a step outside the sequence. */
export function openAside(
  command: OpenCommand,
  step: string,
  { name: workflow }: Workflow,
  { caller, now }: Situation,
): Decision {
  const inputs = command.inputs === undefined ? {} : { inputs: command.inputs };
  const event: Event = { type: "aside_started", ...stampOf(caller, now), workflow, step, ...inputs };
  return { events: [event], outcome: { kind: "aside_opened", workflow, step }, notices: [] };
}

/** The independent step that a completion means: the named one, or the only thing that this caller opened. */
export function asideMeant(command: CompleteCommand, { plan, desk, caller }: Situation): string | undefined {
  if (command.step !== undefined) return plan.independent.includes(command.step) ? command.step : undefined;
  if (desk.standings.has(caller.id)) return undefined;
  return [...desk.asides].find(([, { status, openedBy }]) => status === "started" && openedBy === caller.id)?.[0];
}

/** Decides the completion of a step outside the sequence: it moves nothing, and only a correction needs a person's word. */
export function completeAside(command: CompleteCommand, step: string, situation: Situation): Decision {
  const { plan, desk, caller, now } = situation;
  const workflow = command.workflow ?? inFocus(plan, desk)?.name ?? "";
  const state = desk.asides.get(step);
  const outcome = { kind: "aside_completed", workflow, step } as const;
  if (state?.status === "completed" && state.fingerprint === command.fingerprint)
    return { events: [], outcome, notices: [] };
  if (state?.status !== "started") return refuse(null, null, { kind: "aside_not_open", step });
  const word = command.correction === undefined ? undefined : wordFor(command, command.correction, outcome, situation);
  if (word !== undefined && "events" in word) return word;
  const completed: Event = {
    type: "aside_completed",
    ...stampOf(caller, now),
    workflow,
    step,
    duration: secondsBetween(state.startedAt, now),
    fingerprint: command.fingerprint,
    ...(command.handed.outputs === undefined ? {} : { outputs: command.handed.outputs }),
    ...(word === undefined || command.correction === undefined ? {} : { correction: command.correction, word }),
  };
  return { events: [completed], outcome, notices: [] };
}

/** The word that lets a correction become part of a rule: one that was given to just this text; or what is answered without one. */
function wordFor(
  { word, agreed }: CompleteCommand,
  correction: Correction,
  { workflow, step }: { readonly workflow: string; readonly step: string },
  { plan, desk, caller }: Situation,
): Word | Decision {
  if (caller.corrects === false)
    return refuse(null, null, { kind: "forbidden", deed: "correct a rule", role: "author" });
  const digest = digestOf(correction);
  const ref = { workflow, pass: 0, step, attempt: 0 }; // outside every pass
  const given = agreed !== undefined && agreed.digest !== digest ? undefined : word;
  const no = declinedAt(desk, ref, digest);
  if (given?.level === "relayed" && no !== undefined) return refuse(null, null, { ...no, kind: "declined", step });
  const needs = wordAsked(undefined, plan);
  const isEnough = given !== undefined && given.level !== "auto" && !isBelow(given.level, needs.level);
  if (isEnough) return given;
  const { asked = [] } = desk.asides.get(step) ?? {};
  const unanswered = asked.some((one) => one.digest === digest && one.by === caller.id);
  const waits = {
    ref,
    handed: {},
    digest,
    correction,
    unanswered,
    declined: no !== undefined,
    ...(no?.reason === undefined ? {} : { reason: no.reason }),
    needs,
    given: [],
    ...(given === undefined ? {} : { below: given.level }),
  };
  return { events: [], outcome: { kind: "awaiting", ...waits }, notices: [] };
}
