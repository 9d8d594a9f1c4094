import { gateMeaning } from "../gates/gate-meaning.ts";
import { digestOf } from "../kit/json.ts";
import { stampOf, type UpdateCommand } from "./command.ts";
import { startAttempt } from "./decide-open.ts";
import type { DecisionContext } from "./decision-context.ts";
import type { Event } from "./events.ts";
import { approvalNeed } from "./judged-by-hash.ts";
import type { Decision } from "./outcome.ts";
import { positionIn } from "./position.ts";
import { refuse, refuseUnknownWorkflow } from "./refuse.ts";
import { replay } from "./replay.ts";
import type { Step } from "./workflow.ts";

/** Decides to move a session to another version of its definition; from the first walked step whose gate differs, everything is done again. */
export function decideUpdate({ to, definition, total }: UpdateCommand, situation: DecisionContext): Decision {
  const { plan, stream, caller, now } = situation;
  const [[before], [after]] = [plan.workflows, to.workflows];
  if (before === undefined || after === undefined) return refuseUnknownWorkflow(plan, plan.name);
  const position = positionIn(stream, before);
  const { current, run, steps } = position;
  if (stream.archivedAt !== null) return refuse(position, null, { kind: "archived" });
  const no = (message: string): Decision =>
    refuse(position, null, { kind: "invalid_input", message, fix: "Archive it if needed, and start a new session." });
  if (current === null) return no("this session is complete, so no phase is left to update");
  const walked = steps.filter(({ name }) => {
    const status = run.steps.get(name)?.status;
    return status !== undefined && status !== "superseded";
  });
  const from = walked.findIndex((step) => !meansTheSame(step, after.steps[steps.indexOf(step)]));
  const first = from === -1 ? undefined : walked[from];
  const target = first === undefined ? undefined : after.steps[steps.indexOf(first)];
  if (first !== undefined && target === undefined)
    return no(`the current definition has only ${after.steps.length} phases, and this session is past them`);
  const supersedes = from === -1 ? [] : walked.slice(from).map(({ name }) => name);
  const { workflow, pass } = run;
  const updated: Event = { type: "updated", ...stampOf(caller, now), workflow, pass, definition, total, supersedes };
  const moved = replay([updated], stream);
  const opened =
    target === undefined
      ? []
      : startAttempt({ kind: "open" }, target, positionIn(moved, after), { ...situation, plan: to, stream: moved })
          .events;
  return { events: [updated, ...opened], outcome: { kind: "updated", workflow, supersedes }, notices: [] };
}

function meansTheSame(step: Step, other: Step | undefined): boolean {
  return other?.name === step.name && meaningOf(step) === meaningOf(other);
}

function meaningOf(step: Step): string {
  return digestOf(gateMeaning(step.gate, approvalNeed(step), step.edits, step.routing));
}
