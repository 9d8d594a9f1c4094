import type { PhasedReply, ShownPhase } from "../engine/phased/phased-reply.ts";
import type { JsonObject } from "../workflow/json.ts";
import { workflowCompleteText } from "../workflow/next-step.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { SessionView } from "../workflow/session-view.ts";
import { clip, fitWarnings } from "./fit.ts";
import { type FittedArtifacts, fitArtifacts } from "./fit-artifacts.ts";

/** An answer about a session: everything the assistant must read is in it. */
export type PhaseAnswer = { readonly warnings: readonly string[] } & JsonObject;

/** What `start_workflow` answers. */
export function startAnswer(reply: PhasedReply): PhaseAnswer {
  const { session, phase, outcome } = reply;
  if (outcome.kind === "refused" || session === null) return refusal(reply);
  return {
    ...identity(session),
    resumed: reply.resumed === true,
    warnings: fitWarnings(reply.warnings),
    next_step: nextStep(session),
    ...(phase === null ? {} : { phase_content: contentOf(phase), checkpoint_criteria: criteriaOf(phase) }),
    ...(session.completed_phases.length === 0 ? {} : available(session)),
  };
}

/** What `get_phase_content` answers. */
export function readAnswer(reply: PhasedReply): PhaseAnswer {
  const { session, phase, outcome } = reply;
  if (outcome.kind === "refused" || session === null || phase === null) return refusal(reply);
  const { artifacts, trimmed } = fitted(session);
  return {
    session_id: session.session_id,
    phase_number: phase.number,
    current_phase: session.current_phase,
    total_phases: session.total_phases,
    warnings: fitWarnings(reply.warnings),
    next_step:
      outcome.kind === "review"
        ? `Phase ${phase.number} is completed: this is a review. ${nextStep(session)}`
        : nextStep(session),
    phase_content: contentOf(phase),
    checkpoint_criteria: criteriaOf(phase),
    artifacts_from_previous: outcome.kind === "review" ? {} : artifacts,
    ...(trimmed && outcome.kind !== "review" ? { artifacts_resource: artifactsUri(session) } : {}),
  };
}

/** What `complete_phase` answers. */
export function completeAnswer(reply: PhasedReply): PhaseAnswer {
  const { session, phase, outcome } = reply;
  if (session === null || outcome.kind === "refused") return refusal(reply);
  if (outcome.kind === "awaiting") return awaiting(reply, session);
  const done = "ref" in outcome && outcome.ref !== null ? Number(outcome.ref.step) : session.current_phase;
  return {
    checkpoint_passed: true,
    session_id: session.session_id,
    phase_completed: done,
    warnings: fitWarnings(reply.warnings),
    next_step: nextStep(session),
    ...(phase === null || session.workflow_complete
      ? {
          workflow_complete: true,
          current_phase: session.current_phase,
          total_phases: session.total_phases,
          message: workflowCompleteText,
        }
      : { next_phase: phase.number, next_phase_content: contentOf(phase), checkpoint_criteria: criteriaOf(phase) }),
    ...available(session),
  };
}

/** What `get_workflow_state` answers for one session. */
export function stateAnswer(view: SessionView, warnings: readonly string[]): PhaseAnswer {
  const { artifacts, trimmed } = fitted(view);
  const { phase_artifacts: _, ...fields } = view;
  return {
    ...fields,
    phase_artifacts: artifacts,
    ...(trimmed ? { artifacts_resource: artifactsUri(view) } : {}),
    next_step: nextStep(view),
    warnings: fitWarnings(warnings),
  };
}

/** What `get_workflow_state` answers without a session: the list, the one that changed last first, and what is to be said of any. */
export function listAnswer(views: readonly SessionView[], warnings: readonly string[]): PhaseAnswer {
  const shown = views.slice(0, 20).map((view) => ({
    session_id: view.session_id,
    workflow_type: view.workflow_type,
    target_file: view.target_file,
    current_phase: view.current_phase,
    total_phases: view.total_phases,
    workflow_complete: view.workflow_complete,
    updated_at: view.updated_at,
    ...(view.archived === true ? { archived: true } : {}),
  }));
  const rest = views.length - shown.length;
  const older = rest > 0 ? [`And ${rest} older ones: run waymark status.`] : [];
  return { sessions: shown, warnings: [...older, ...fitWarnings(warnings)] };
}

/** Where the whole of a session's artifacts can be read. */
export function artifactsUri({ session_id }: SessionView): string {
  return `waymark://sessions/${session_id}/artifacts`;
}

function refusal(reply: PhasedReply): PhaseAnswer {
  const { outcome, session, phase } = reply;
  const no = outcome.kind === "refused" ? outcome.refusal : undefined;
  const isGap = no?.error === "incomplete_checkpoint";
  const isSkip = no?.error === "phase_sequence_violation";
  return {
    ...(isGap ? { checkpoint_passed: false } : {}),
    error: no?.error ?? "conflict",
    ...(isSkip ? { violation_type: "attempted_skip" } : {}),
    message: clip(no?.message ?? "The session cannot be shown.", 400),
    ...(no?.reason === undefined ? {} : { reason: no.reason }),
    required_action: clip(no?.required_action ?? "Call get_workflow_state.", 700),
    ...(no?.missing_evidence === undefined ? {} : { missing_evidence: no.missing_evidence }),
    warnings: fitWarnings(reply.warnings),
    ...(session === null
      ? {}
      : { session_id: session.session_id, current_phase: session.current_phase, progress: progressOf(session) }),
    ...(isGap && phase !== null ? { required_format: phase.requiredEvidence, examples: phase.examples } : {}),
    ...(phase === null ? {} : { current_phase_content: contentOf(phase) }),
    ...(session === null ? {} : available(session)),
  };
}

function awaiting(reply: PhasedReply, session: SessionView): PhaseAnswer {
  const { current_phase: phase } = session;
  return {
    checkpoint_passed: false,
    error: "approval_required",
    message: `The evidence for Phase ${phase} is complete and kept. A person must approve it before the phase is completed.`,
    required_action:
      reply.unanswered === true
        ? "They were asked through this client, and nobody answered. If they have told you that they approve, call complete_phase again with their own words as confirmation; that goes on record as passed on by you."
        : "Ask them; then call complete_phase again with their own words as confirmation.",
    session_id: session.session_id,
    current_phase: phase,
    progress: progressOf(session),
    warnings: fitWarnings(reply.warnings),
  };
}

function identity(session: SessionView): JsonObject {
  const { session_id, workflow_type, target_file, current_phase, total_phases } = session;
  return { session_id, workflow_type, target_file, current_phase, total_phases };
}

function progressOf({ completed_phases, current_phase, total_phases }: SessionView): JsonObject {
  return { completed: completed_phases, current: current_phase, total: total_phases };
}

function contentOf({ content, sources, tasks }: ShownPhase): JsonObject {
  return {
    content,
    sources,
    total_tokens: Math.ceil(content.length / 4),
    ...(tasks.length === 0 ? {} : { tasks }),
  };
}

function criteriaOf({ requiredEvidence, comparisons, approval }: ShownPhase): JsonObject {
  return {
    required_evidence: requiredEvidence,
    ...(comparisons.length === 0 ? {} : { also: comparisons }),
    ...(approval ? { approval: "a person must approve" } : {}),
  };
}

function available(session: SessionView): JsonObject {
  const { artifacts, trimmed } = fitted(session);
  return { artifacts_available: artifacts, ...(trimmed ? { artifacts_resource: artifactsUri(session) } : {}) };
}

function fitted(session: SessionView): FittedArtifacts {
  return fitArtifacts(session.phase_artifacts);
}

function nextStep(session: SessionView): string {
  if (session.archived === true) return "This session was archived; start_workflow begins a new one.";
  if (session.workflow_complete) return workflowCompleteText;
  return `Do the work of Phase ${session.current_phase}, then call complete_phase with session_id, phase ${session.current_phase} and the evidence that checkpoint_criteria asks for.`;
}

/** Whether an answer is one that hosts should show as an error. */
export function isFault({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome.kind === "refused" && outcome.refusal.error !== "incomplete_checkpoint";
}
