import type { Reply } from "../engine/reply.ts";
import { defined } from "../kit/defined.ts";
import type { Json, JsonObject } from "../kit/json.ts";
import { howToApproveText, runArgument } from "../messages/approval-texts.ts";
import { boundText, reportedText } from "../messages/blocked-texts.ts";
import { incompleteText, workflowCompleteText } from "../messages/fixed-texts.ts";
import { itemsText, parentItems, settledText } from "../messages/item-texts.ts";
import { warningTexts } from "../messages/notices.ts";
import { phaseRefusalMessage, sessionNotFoundMessage } from "../messages/phase-refusals.ts";
import { checkingText } from "../messages/reply-checks.ts";
import type { WordedReply } from "../messages/worded-reply.ts";
import type { Warning } from "../workflow/notice.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { Refusal } from "../workflow/refusal.ts";
import type { SessionView } from "../workflow/session-view.ts";
import type { ReplyForm } from "./bot-reply.ts";
import { clip, fitKept, fitWarnings } from "./fit.ts";
import { fitAfterCompletion, fitArtifacts, fitSubmitted } from "./fit-artifacts.ts";
import {
  briefContent,
  briefCriteria,
  gapDetails,
  gateCriteria,
  openedContent,
  phaseContent,
  roundContent,
} from "./phase-content.ts";

/** A reply about a session; it contains everything the assistant must read. */
export type PhaseReply = { readonly warnings: readonly string[] } & JsonObject;

/** A worded reply, with its session if it is about one. */
export type SessionReply = WordedReply & { readonly session: SessionView | null; readonly resumed?: true };

/** The reply of `start_workflow`. */
export function startReply(reply: SessionReply): PhaseReply {
  const { shown, session } = reply;
  if (reply.outcome.kind === "refused" || session === null) return refusal(reply);
  if (reply.outcome.kind === "at_bound") return atBound(reply, reply.outcome, session);
  const { session_id, workflow_type, target_file, current_phase, total_phases } = session;
  return {
    ...leadMessage(reply),
    session_id,
    workflow_type,
    target_file,
    ...optionsOf(session),
    current_phase,
    ...defined({ attempt: reply.attempt }),
    total_phases,
    resumed: reply.resumed === true,
    ...(session.workflow_complete ? { workflow_complete: true, ...outcomeOf(reply.outcome) } : {}),
    warnings: fitWarnings(reply.warningTexts),
    ...(reply.resumed === true ? resumedContent(shown, session) : startedContent(shown, session)),
    ...(session.completed_phases.length === 0 ? {} : available(session)),
  };
}

function startedContent(shown: Reply["shown"], session: SessionView): JsonObject {
  if (shown === null) return { next_step: nextStepText(session) };
  return {
    next_step: `${nextStepText(session, shown)} get_phase_content describes a phase's evidence in full.`,
    ...roundContent(shown),
    phase_content: openedContent(shown),
    checkpoint_criteria: briefCriteria(shown),
  };
}

/** A returning caller may have lost what it was shown. */
function resumedContent(shown: Reply["shown"], session: SessionView): JsonObject {
  const next_step = nextStepText(session, shown);
  if (shown === null) return { next_step };
  return {
    next_step,
    ...roundContent(shown),
    phase_content: phaseContent(shown),
    checkpoint_criteria: gateCriteria(shown),
  };
}

/** The reply of `get_phase_content`. */
export function readReply(reply: SessionReply): PhaseReply {
  const { outcome, shown, session } = reply;
  if (outcome.kind === "at_bound" && session !== null) return atBound(reply, outcome, session);
  if (outcome.kind === "refused" || session === null || shown === null) return refusal(reply);
  const isReview = outcome.kind === "review";
  const { artifacts, trimmed } = fitArtifacts(session.phase_artifacts);
  return {
    ...leadMessage(reply),
    session_id: session.session_id,
    ...optionsOf(session),
    phase_number: Number(shown.step),
    current_phase: session.current_phase,
    ...defined({ attempt: reply.attempt }),
    total_phases: session.total_phases,
    warnings: fitWarnings(reply.warningTexts),
    next_step: isReview
      ? `Phase ${shown.step} is completed: this is a review. ${nextStepText(session)}`
      : nextStepText(session, shown),
    ...roundContent(shown),
    phase_content: phaseContent(shown),
    checkpoint_criteria: gateCriteria(shown),
    artifacts_from_previous: isReview ? {} : artifacts,
    ...(trimmed && !isReview ? { artifacts_resource: artifactsUri(session.session_id) } : {}),
  };
}

/** The reply of `complete_phase`. */
export function completeReply(reply: SessionReply): PhaseReply {
  const { outcome, shown, session, kept } = reply;
  if (session === null) return refusal(reply);
  const keeping = kept === undefined ? {} : { kept: fitKept(kept, maxKeptTokens) };
  if (outcome.kind === "refused") return { ...refusal(reply), ...keeping };
  if (outcome.kind === "blocked") return { ...reported(reply, outcome, session), ...keeping };
  if (outcome.kind === "at_bound") return atBound(reply, outcome, session);
  if (outcome.kind === "awaiting") return { ...awaiting(reply, outcome, session), ...keeping };
  if (outcome.kind === "checking") return { ...checking(reply, session), ...keeping };
  const done = "ref" in outcome && outcome.ref !== null ? Number(outcome.ref.step) : session.current_phase;
  return {
    ...leadMessage(reply),
    checkpoint_passed: true,
    session_id: session.session_id,
    ...optionsOf(session),
    phase_completed: done,
    warnings: fitWarnings(reply.warningTexts),
    ...defined({ checks: reply.checks }),
    ...(shown === null || session.workflow_complete
      ? {
          workflow_complete: true,
          ...outcomeOf(outcome),
          current_phase: session.current_phase,
          total_phases: session.total_phases,
          message: withLead(reply, workflowCompleteText),
          ...settledParts(reply),
        }
      : {
          next_step: nextStepText(session, shown),
          next_phase: Number(shown.step),
          ...roundContent(shown),
          ...defined({ attempt: reply.attempt }),
          next_phase_content: openedContent(shown),
          checkpoint_criteria: briefCriteria(shown),
          ...available(session, fitAfterCompletion),
        }),
  };
}

/** The items that are left to the parent once this item has ended. */
function settledParts({ settled }: SessionReply): JsonObject {
  return settled === undefined ? {} : { parent: parentItems(settled), next_step: settledText(settled) };
}

/** In tokens. */
export const maxKeptTokens = 700;

/** The resource with all artifacts of a session. */
export function artifactsUri(session: string): string {
  return `waymark://sessions/${encodeURIComponent(session)}/artifacts`;
}

/** Refuses a session that does not exist or has an unreadable history. */
export function noSessionReply(session: string, warnings: readonly Warning[]): PhaseReply {
  const said = warningTexts(warnings, { kind: "session", name: session });
  return { ...sessionNotFoundMessage(session), warnings: fitWarnings(said) };
}

function refusal(reply: SessionReply): PhaseReply {
  const { id, outcome, shown, session, warningTexts, checks } = reply;
  if (outcome.kind !== "refused") return { ...sessionNotFoundMessage(id.name), warnings: fitWarnings(warningTexts) };
  const no = phaseRefusalMessage(outcome.refusal, session, shown !== null);
  const isOwn = ["gaps", "violations", "checks", "untrusted", "declined"].includes(outcome.refusal.kind);
  const warnings = [...(reply.lead === undefined ? [] : [reply.lead]), ...fitWarnings(warningTexts)];
  return {
    // what a person said comes first
    ...(reply.lead === undefined ? {} : { warnings }),
    ...(isCheckpoint(outcome.refusal) ? { checkpoint_passed: false } : {}),
    ...no,
    message: clip(no.message, outcome.refusal.kind === "declined" ? 2400 : 400),
    ...(outcome.refusal.kind === "checks" ? failedChecks(outcome.refusal) : {}),
    required_action: clip(no.required_action, 700),
    warnings,
    ...(session === null
      ? {}
      : { session_id: session.session_id, current_phase: session.current_phase, progress: progressOf(session) }),
    ...defined({ attempt: reply.attempt }),
    ...(outcome.refusal.kind === "gaps" && shown !== null ? gapDetails(shown, outcome.refusal.gaps) : {}),
    ...defined({ checks }),
    ...(shown === null ? {} : { current_phase_content: isOwn ? briefContent(shown) : phaseContent(shown) }),
    ...(session === null || isOwn ? {} : available(session)),
  };
}

/** Tells if a refusal is a checkpoint that did not pass, not a faulty call. */
function isCheckpoint({ kind }: Refusal): boolean {
  return kind === "gaps" || kind === "checks";
}

/** Lists failed checks as missing evidence. */
function failedChecks({ checks, gaps }: Refusal & { kind: "checks" }): JsonObject {
  const failed = checks.filter(({ status }) => status !== "passed");
  const missing = failed.map(({ name, summary }) => `${name} (check_failed: ${summary})`);
  const all = [...missing, ...gaps.map(({ text }) => text)];
  return { error: "incomplete_checkpoint", message: incompleteText, missing_evidence: all };
}

function checking(reply: WordedReply, session: SessionView): PhaseReply {
  const { current_phase: phase } = session;
  return {
    checkpoint_passed: false,
    status: "checking",
    message: withLead(
      reply,
      checkingText(`Phase ${phase}`, `The checks of Phase ${phase} are still running`, reply.runner),
    ),
    required_action: "Send the same complete_phase call again in a while to get the result.",
    session_id: session.session_id,
    current_phase: phase,
    progress: progressOf(session),
    warnings: fitWarnings(reply.warningTexts),
    ...defined({ checks: reply.checks }),
    ...(reply.runner === undefined ? {} : { waiting_for: "runner" }),
  };
}

function reported(reply: SessionReply, { ref }: Outcome & { kind: "blocked" }, session: SessionView): PhaseReply {
  return {
    checkpoint_passed: false,
    status: "blocked",
    message: `Phase ${ref.step} is reported as blocked. Nothing was completed.`,
    required_action: reportedText(reply.id, ref, `Phase ${ref.step}`),
    session_id: session.session_id,
    current_phase: session.current_phase,
    progress: progressOf(session),
    warnings: fitWarnings(reply.warningTexts),
  };
}

/** The phase is completed, but only a person can continue. */
function atBound(reply: SessionReply, { ref }: Outcome & { kind: "at_bound" }, session: SessionView): PhaseReply {
  return {
    checkpoint_passed: true,
    status: "blocked",
    phase_completed: Number(ref.step),
    message: withLead(reply, boundText(runArgument(reply.id, ref), `Phase ${ref.step}`)),
    session_id: session.session_id,
    current_phase: session.current_phase,
    progress: progressOf(session),
    warnings: fitWarnings(reply.warningTexts),
    ...defined({ checks: reply.checks }),
  };
}

function outcomeOf(outcome: Outcome): JsonObject {
  return outcome.kind === "finished" ? defined({ outcome: outcome.outcome }) : {};
}

function awaiting(reply: WordedReply, outcome: Outcome & { kind: "awaiting" }, session: SessionView): PhaseReply {
  const { current_phase: phase } = session;
  return {
    checkpoint_passed: false,
    error: "approval_required",
    message: withLead(
      reply,
      `The evidence for Phase ${phase} is complete and kept. A person must approve it before the phase is completed.`,
    ),
    required_action: howToApproveText(reply.id, outcome, "complete_phase"),
    session_id: session.session_id,
    current_phase: phase,
    progress: progressOf(session),
    warnings: fitWarnings(reply.warningTexts),
    ...defined({ checks: reply.checks }),
  };
}

/** A person's answer comes first, in full. */
function leadMessage({ lead }: WordedReply): JsonObject {
  return lead === undefined ? {} : { message: lead };
}

function withLead({ lead }: WordedReply, message: string): string {
  return lead === undefined ? message : `${lead} ${message}`;
}

function optionsOf({ options, inputs = {} }: SessionView): JsonObject {
  return {
    ...(Object.keys(options).length === 0 ? {} : { options }),
    ...(Object.keys(inputs).length === 0 ? {} : { inputs: fitSubmitted(inputs) }),
  };
}

function progressOf({ completed_phases, current_phase, total_phases }: SessionView): JsonObject {
  return { completed: completed_phases, current: current_phase, total: total_phases };
}

function available({ session_id, phase_artifacts }: SessionView, cut = fitArtifacts): JsonObject {
  const { artifacts, trimmed } = cut(phase_artifacts);
  return { artifacts_available: artifacts, ...(trimmed ? { artifacts_resource: artifactsUri(session_id) } : {}) };
}

/** The next step in a session. */
export function nextStepText(session: SessionView, shown?: Reply["shown"]): string {
  if (session.archived === true) return "This session was archived; start_workflow starts a new one.";
  if (session.workflow_complete) return workflowCompleteText;
  if (session.status === "blocked") return boundText(session.session_id, `Phase ${session.current_phase}`);
  if (shown?.calls !== undefined) return itemsText(`Phase ${shown.step}`, session.session_id, shown);
  return `Do Phase ${session.current_phase}, then call complete_phase with its evidence.`;
}

/** Tells if hosts should show a reply as an error. */
export function isErrorReply({ outcome }: Pick<Reply, "outcome">): boolean {
  return outcome.kind === "refused" && !isCheckpoint(outcome.refusal);
}

/** Renders the same reply as text, for clients that show only that. */
export function phaseText(answer: PhaseReply, form: ReplyForm): string {
  if (form === "line") return line(answer);
  const { warnings, error, message, reason, required_action, next_step, ...rest } = answer;
  const lines: string[] = [];
  if (error !== undefined) lines.push(`[${error}] ${String(message)}`);
  else if (message !== undefined) lines.push(String(message));
  for (const said of [reason, required_action]) if (typeof said === "string") lines.push(said);
  for (const warning of warnings) lines.push(`Warning: ${warning}`);
  for (const [name, value] of Object.entries(rest)) lines.push(...part(name, value));
  if (typeof next_step === "string") lines.push(next_step);
  return lines.join("\n");
}

function line({ error, message, required_action, session_id, next_phase, current_phase }: PhaseReply): string {
  if (error !== undefined) return `[${String(error)}] ${String(message)} ${String(required_action)}`;
  const phase = next_phase ?? current_phase;
  return `${session_id === undefined ? "sessions" : String(session_id)}${phase === undefined ? "" : `: Phase ${String(phase)}`}`;
}

function part(name: string, value: Json): string[] {
  const title = name.replaceAll("_", " ");
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return [`${title}: ${value}`];
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return [`${title}:`, ...value.map((item) => `- ${item}`)];
  if (value !== null && "content" in value && typeof value.content === "string")
    return [`${title}:`, "", value.content, ""];
  return [`${title}: ${JSON.stringify(value)}`];
}
