import type { Reply } from "../engine/reply.ts";
import type { JsonObject } from "../evidence/json.ts";
import { askElsewhere } from "../words/approval.ts";
import { saidInWords } from "../words/notices.ts";
import { phaseRefusal, sessionNotFound } from "../words/phases.ts";
import type { InWords } from "../words/reply.ts";
import type { SessionView } from "../words/session-view.ts";
import { incompleteText, workflowCompleteText } from "../words/texts.ts";
import type { Said } from "../workflow/notice.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { clip, fitKept, fitWarnings } from "./fit.ts";
import { fitArtifacts, fitInPassing } from "./fit-artifacts.ts";
import { briefContent, briefCriteriaOf, contentOf, criteriaOf, gapsOf, openedContentOf } from "./phase-content.ts";

/** An answer about a session: everything the assistant must read is in it. */
export type PhaseAnswer = { readonly warnings: readonly string[] } & JsonObject;

/** A reply in words, and how its session stands, where it is about one. */
export type SessionReply = InWords & { readonly session: SessionView | null; readonly resumed?: true };

/** What `start_workflow` answers. */
export function startAnswer(reply: SessionReply): PhaseAnswer {
  const { shown, session } = reply;
  if (reply.outcome.kind === "refused" || session === null) return refusal(reply);
  const { session_id, workflow_type, target_file, current_phase, total_phases } = session;
  return {
    ...objection(reply),
    session_id,
    workflow_type,
    target_file,
    ...optionsOf(session),
    current_phase,
    total_phases,
    resumed: reply.resumed === true,
    warnings: fitWarnings(reply.said),
    ...(reply.resumed === true ? againIn(shown, session) : firstIn(shown, session)),
    ...(session.completed_phases.length === 0 ? {} : available(session)),
  };
}

function firstIn(shown: Reply["shown"], session: SessionView): JsonObject {
  const next_step = `${nextStep(session)} get_phase_content says more about the evidence of a phase.`;
  if (shown === null) return { next_step };
  return { next_step, phase_content: openedContentOf(shown), checkpoint_criteria: briefCriteriaOf(shown) };
}

/** Whoever comes back may have lost what it was told. */
function againIn(shown: Reply["shown"], session: SessionView): JsonObject {
  const next_step = nextStep(session);
  if (shown === null) return { next_step };
  return { next_step, phase_content: contentOf(shown), checkpoint_criteria: criteriaOf(shown) };
}

/** What `get_phase_content` answers. */
export function readAnswer(reply: SessionReply): PhaseAnswer {
  const { outcome, shown, session } = reply;
  if (outcome.kind === "refused" || session === null || shown === null) return refusal(reply);
  const isReview = outcome.kind === "review";
  const { artifacts, trimmed } = fitArtifacts(session.phase_artifacts);
  return {
    ...objection(reply),
    session_id: session.session_id,
    ...optionsOf(session),
    phase_number: Number(shown.step),
    current_phase: session.current_phase,
    total_phases: session.total_phases,
    warnings: fitWarnings(reply.said),
    next_step: isReview
      ? `Phase ${shown.step} is completed: this is a review. ${nextStep(session)}`
      : nextStep(session),
    phase_content: contentOf(shown),
    checkpoint_criteria: criteriaOf(shown),
    artifacts_from_previous: isReview ? {} : artifacts,
    ...(trimmed && !isReview ? { artifacts_resource: artifactsUri(session.session_id) } : {}),
  };
}

/** What `complete_phase` answers. */
export function completeAnswer(reply: SessionReply): PhaseAnswer {
  const { outcome, shown, session, kept } = reply;
  if (session === null) return refusal(reply);
  const keeping = kept === undefined ? {} : { kept: fitKept(kept, roomForKept) };
  if (outcome.kind === "refused") return { ...refusal(reply), ...keeping };
  if (outcome.kind === "awaiting") return { ...awaiting(reply, outcome, session), ...keeping };
  if (outcome.kind === "checking") return { ...checking(reply, session), ...keeping };
  const done = "ref" in outcome && outcome.ref !== null ? Number(outcome.ref.step) : session.current_phase;
  return {
    checkpoint_passed: true,
    session_id: session.session_id,
    ...optionsOf(session),
    phase_completed: done,
    warnings: fitWarnings(reply.said),
    ...(reply.checks === undefined ? {} : { checks: reply.checks }),
    ...(shown === null || session.workflow_complete
      ? {
          workflow_complete: true,
          current_phase: session.current_phase,
          total_phases: session.total_phases,
          message: workflowCompleteText,
        }
      : {
          next_step: nextStep(session),
          next_phase: Number(shown.step),
          next_phase_content: openedContentOf(shown),
          checkpoint_criteria: briefCriteriaOf(shown),
          ...available(session, fitInPassing),
        }),
  };
}

/** In tokens. */
export const roomForKept = 700;

/** Where the whole of a session's artifacts can be read as well. */
export function artifactsUri(session: string): string {
  return `waymark://sessions/${session}/artifacts`;
}

/** No to a session that is not there, or whose history tells nothing. */
export function noSessionAnswer(session: string, warnings: readonly Said[]): PhaseAnswer {
  const said = saidInWords(warnings, { kind: "session", name: session });
  return { ...sessionNotFound(session), warnings: fitWarnings(said) };
}

function refusal(reply: SessionReply): PhaseAnswer {
  const { id, outcome, shown, session, said, checks } = reply;
  if (outcome.kind !== "refused") return { ...sessionNotFound(id.name), warnings: fitWarnings(said) };
  const no = phaseRefusal(outcome.refusal, session, shown !== null);
  const isOwn = ["gaps", "violations", "checks", "untrusted", "declined"].includes(outcome.refusal.kind);
  return {
    ...(isCheckpoint(outcome.refusal) ? { checkpoint_passed: false } : {}),
    ...no,
    message: clip(no.message, outcome.refusal.kind === "declined" ? 2400 : 400),
    ...(outcome.refusal.kind === "checks" ? failedChecks(outcome.refusal) : {}),
    required_action: clip(no.required_action, 700),
    warnings: [...(reply.rejection === undefined ? [] : [reply.rejection]), ...fitWarnings(said)],
    ...(session === null
      ? {}
      : { session_id: session.session_id, current_phase: session.current_phase, progress: progressOf(session) }),
    ...(outcome.refusal.kind === "gaps" && shown !== null ? gapsOf(shown, outcome.refusal.gaps) : {}),
    ...(checks === undefined ? {} : { checks }),
    ...(shown === null ? {} : { current_phase_content: isOwn ? briefContent(shown) : contentOf(shown) }),
    ...(session === null || isOwn ? {} : available(session)),
  };
}

/** A checkpoint that is not passed, rather than a call that went wrong. */
function isCheckpoint({ kind }: Refusal): boolean {
  return kind === "gaps" || kind === "checks";
}

/** Checks that failed are one more thing that a checkpoint lacks. */
function failedChecks({ checks, gaps }: Refusal & { kind: "checks" }): JsonObject {
  const failed = checks.filter(({ status }) => status !== "passed");
  const missing = failed.map(({ name, summary }) => `${name} (check_failed: ${summary})`);
  const all = [...missing, ...gaps.map(({ text }) => text)];
  return { error: "incomplete_checkpoint", message: incompleteText, missing_evidence: all };
}

function checking(reply: InWords, session: SessionView): PhaseAnswer {
  const { current_phase: phase } = session;
  return {
    checkpoint_passed: false,
    status: "checking",
    message: `The checks of Phase ${phase} are still running. What you handed in is kept.`,
    required_action: "Send the same complete_phase call again in a while: it gets the result.",
    session_id: session.session_id,
    current_phase: phase,
    progress: progressOf(session),
    warnings: fitWarnings(reply.said),
    ...(reply.checks === undefined ? {} : { checks: reply.checks }),
  };
}

function awaiting(reply: InWords, outcome: Outcome & { kind: "awaiting" }, session: SessionView): PhaseAnswer {
  const { current_phase: phase } = session;
  return {
    checkpoint_passed: false,
    error: "approval_required",
    message: `The evidence for Phase ${phase} is complete and kept. A person must approve it before the phase is completed.`,
    required_action: askElsewhere(reply) ?? howToAsk(outcome),
    session_id: session.session_id,
    current_phase: phase,
    progress: progressOf(session),
    warnings: fitWarnings(reply.said),
    ...(reply.checks === undefined ? {} : { checks: reply.checks }),
  };
}

function howToAsk({ unanswered }: Outcome & { kind: "awaiting" }): string {
  if (unanswered)
    return "They were asked through this client, and nobody answered. If they have told you that they approve, call complete_phase again with their own words as confirmation; that goes on record as passed on by you.";
  return "Ask them; then call complete_phase again with their own words as confirmation.";
}

/** What a person objects to comes before everything else, whole. */
function objection({ rejection }: InWords): JsonObject {
  return rejection === undefined ? {} : { message: rejection };
}

function optionsOf({ options }: SessionView): JsonObject {
  return Object.keys(options).length === 0 ? {} : { options };
}

function progressOf({ completed_phases, current_phase, total_phases }: SessionView): JsonObject {
  return { completed: completed_phases, current: current_phase, total: total_phases };
}

function available({ session_id, phase_artifacts }: SessionView, cut = fitArtifacts): JsonObject {
  const { artifacts, trimmed } = cut(phase_artifacts);
  return { artifacts_available: artifacts, ...(trimmed ? { artifacts_resource: artifactsUri(session_id) } : {}) };
}

/** What to do next in a session. */
export function nextStep(session: SessionView): string {
  if (session.archived === true) return "This session was archived; start_workflow begins a new one.";
  if (session.workflow_complete) return workflowCompleteText;
  return `Do Phase ${session.current_phase}, then call complete_phase with its evidence.`;
}

/** Whether an answer is one that hosts should show as an error. */
export function isFault({ outcome }: Pick<Reply, "outcome">): boolean {
  return outcome.kind === "refused" && !isCheckpoint(outcome.refusal);
}
