import type { Desk } from "../../workflow/desk.ts";
import type { Decision, Outcome } from "../../workflow/outcome.ts";
import type { Refusal } from "../../workflow/refusal.ts";
import { sessionNotFound } from "../../workflow/refusals.ts";
import { sessionView } from "../../workflow/session-view.ts";
import type { Plan } from "../../workflow/workflow.ts";
import type { PhasedWorkflow } from "../phased-ports.ts";
import type { PhasedReply } from "./phased-reply.ts";
import { reveal, shown } from "./reveal.ts";

/** Turns what was decided into an answer: the phase that may leave now, and how the session stands after it. */
export function answer(
  session: string,
  workflow: PhasedWorkflow,
  plan: Plan,
  { outcome, warnings }: Decision,
  desk: Desk,
): PhasedReply {
  return {
    outcome,
    session: sessionView(session, desk),
    phase: shownWith(outcome, workflow, plan, desk),
    warnings,
  };
}

/** A refusal that leaves everything as it is. */
export function refused(refusal: Refusal, session?: string, desk?: Desk): PhasedReply {
  return {
    outcome: { kind: "refused", workflow: null, current: null, refusal },
    session: session === undefined || desk === undefined ? null : sessionView(session, desk),
    phase: null,
    warnings: [],
  };
}

/** No to a session that is not there. */
export function noSession(session: string, warnings: readonly string[] = []): PhasedReply {
  return { ...refused(sessionNotFound(session)), warnings };
}

/** What is to be said of a session that left a trace and whose history tells nothing. */
export function unreadable(session: string): string {
  return `The history of session ${session} is gone or cannot be read: waymark verify shows what is wrong with it.`;
}

/** No to a session whose definition is gone. */
export function noDefinition(session: string, desk: Desk): PhasedReply {
  const type = desk.session?.workflow ?? "";
  return refused(
    {
      error: "invalid_definition",
      message: definitionGone(type),
      required_action: `Restore workflows/${type} as it was, or archive the session (waymark archive ${session}) and start again.`,
    },
    session,
    desk,
  );
}

/** What is to be said of a session whose definition is gone. */
export function definitionGone(type: string): string {
  return `The definition of ${type} that this session began with is gone, and the files say something else now.`;
}

function shownWith(outcome: Outcome, workflow: PhasedWorkflow, plan: Plan, desk: Desk): PhasedReply["phase"] {
  const step = stepShown(outcome);
  const phase = step === undefined ? undefined : reveal(workflow, plan, desk, step);
  return phase === undefined ? null : shown(phase);
}

function stepShown(outcome: Outcome): string | undefined {
  switch (outcome.kind) {
    case "opened":
    case "review":
    case "awaiting":
      return outcome.ref.step;
    case "completed":
      return outcome.next?.step;
    case "refused":
      return outcome.current?.step;
    default:
      return undefined;
  }
}
