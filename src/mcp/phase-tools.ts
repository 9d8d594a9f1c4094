import * as z from "zod/v4";
import type { CallerContext } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { WorkflowListing } from "../engine/ports/phased.ts";
import type { Reply } from "../engine/reply.ts";
import type { Sessions } from "../engine/sessions.ts";
import type { Workplace } from "../engine/workplace.ts";
import { defined } from "../kit/defined.ts";
import { warningTexts } from "../messages/notices.ts";
import { type KeptSubmission, leadOfStep, listKept, wordReply } from "../messages/worded-reply.ts";
import { mergeWarnings, type Warning } from "../workflow/notice.ts";
import { type SessionView, sessionRun, sessionView } from "../workflow/session-view.ts";
import { type StreamSnapshot, submittedSoFar } from "../workflow/stream-snapshot.ts";
import type { ReplyForm } from "./bot-reply.ts";
import type { CallResult } from "./call-result.ts";
import { clip, fitKept } from "./fit.ts";
import { fittingStandards } from "./fitting-standards.ts";
import { phaseOutput } from "./phase-output.ts";
import {
  completeReply,
  isErrorReply,
  maxKeptTokens,
  noSessionReply,
  type PhaseReply,
  phaseText,
  readReply,
  type SessionReply,
  startReply,
} from "./phase-reply.ts";
import { type CurrentWait, listReply, maxListed, mostCounted, pageReply, stateReply } from "./phase-state.ts";
import { savedUris } from "./saved-content.ts";
import { attempt, confirmation, files, object, readableNames, sessionId, textUpTo, whole } from "./schemas.ts";
import { defineTool, invalidArguments, type ToolCall, type ToolFamily } from "./tool.ts";

/** The tools of phased workflows. */
export const phaseReplies: ToolFamily = {
  replies: phaseOutput,
  refuse: (no, form) => phaseResult({ ...no, warnings: [] }, true, form),
};

/** Starts or resumes a session. */
export const startWorkflow = defineTool({
  title: "Start or resume a workflow",
  description: startDescription,
  input: z.strictObject({
    workflow_type: textUpTo(200).optional(),
    target_file: textUpTo(1000).optional(),
    options: object.optional(),
    inputs: object.optional(),
    session_id: sessionId.optional(),
    item: textUpTo(200).optional(),
  }),
  use: "work",
  isLoadedFirst: true,
  family: phaseReplies,
  async call({ workflow_type: type, session_id: parent, item, ...rest }, { workplace, caller, form }) {
    const { target_file: target, options, inputs } = rest;
    const isItem = parent !== undefined && item !== undefined;
    if (parent !== undefined || item !== undefined) {
      const problem = isItem ? "an item takes session_id and item alone" : "an item needs session_id and item";
      if (!isItem || [type, target, options, inputs].some((one) => one !== undefined))
        return phaseReplies.refuse(invalidArguments(problem), form);
      return answered(workplace, await workplace.sessions.startItem(caller, parent, item), startReply, form);
    }
    if (type === undefined) return phaseReplies.refuse(invalidArguments("workflow_type is required"), form);
    const reply = await workplace.sessions.start(caller, defined({ type, target, options, inputs }));
    return answered(workplace, reply, startReply, form);
  },
});

/** Shows a phase that may be read. */
export const getPhaseContent = defineTool({
  title: "Read a phase",
  description: "Read the current phase of a session, a completed one, or one of its tasks.",
  input: z.strictObject({ session_id: sessionId, requested_phase: whole.optional(), task: whole.optional() }),
  use: "view",
  family: phaseReplies,
  call: ({ session_id, requested_phase, task }, { workplace, caller, form }) =>
    inSession(workplace, session_id, form, readReply, (engine) => readPhase(engine, caller, requested_phase, task)),
});

/** Completes the current phase. */
export const completePhase = defineTool({
  title: "Complete a phase",
  description:
    "Submit the evidence that the phase's checkpoint asks for. Passed: replies with the next phase. If it can't be done, say why in blocked; never invent evidence or approval.",
  input: z.strictObject({
    session_id: sessionId,
    phase: whole,
    evidence: object.optional(),
    outputs: object.optional(),
    content: files.optional(),
    confirmation: confirmation.optional().describe("The human's own words"),
    blocked: z.string().optional(),
    attempt: attempt.optional(),
  }),
  use: "work",
  family: phaseReplies,
  keptBefore,
  call: ({ session_id, phase, ...submitted }, { workplace, caller, form, seesFiles }) =>
    inSession(
      workplace,
      session_id,
      form,
      (reply) => ({ ...completeReply(reply), ...(seesFiles ? {} : savedUris(reply, maxKeptTokens)) }),
      (engine) => engine.complete(caller, defined({ step: String(phase), ...submitted })),
    ),
});

/** Shows the state of one session or of all. */
export const getWorkflowState = defineTool({
  title: "See a session",
  description: "See the state of a session; without session_id, of all. With phase: everything that phase produced.",
  input: z.strictObject({ session_id: sessionId.optional(), phase: whole.optional(), page: whole.optional() }),
  use: "read",
  family: phaseReplies,
  async call({ session_id, phase, page = 1 }, { workplace, caller, form }) {
    const { sessions } = workplace;
    if (session_id === undefined && phase !== undefined)
      return phaseReplies.refuse(invalidArguments("phase needs a session_id"), form);
    if (session_id === undefined) return list(sessions, form);
    const engine = await sessions.find(session_id);
    if (engine === undefined) return noSession(session_id, undefined, form);
    const { stream, warnings } = await engine.inspect(caller);
    const view = sessionView(session_id, stream);
    if (view === null) return noSession(session_id, warnings, form);
    if (phase === undefined) {
      const reply = stateReply(view, warnings, await engine.staleProofs(), currentWait(stream, view));
      return phaseResult(reply, false, form);
    }
    // a phase that is neither completed nor current is refused, as its content is
    if (view.phase_artifacts[phase] === undefined && phase !== view.current_phase) {
      const reply = await readPhase(engine, caller, phase, undefined);
      return answered(workplace, { ...reply, warnings: mergeWarnings(warnings, reply.warnings) }, readReply, form);
    }
    const answer = pageReply(view, phase, page, warnings);
    return phaseResult(answer, "error" in answer, form);
  },
});

/** Describes the first tool with the workflows that can be started. */
function startDescription(workflows: readonly WorkflowListing[]): string {
  const offered = workflows
    .slice(0, 12)
    .map(({ type, title, description }) => clip(`${type}: ${description === "" ? title : description}`, 110));
  const rest = workflows.length > 12 ? [`and ${workflows.length - 12} more`] : [];
  const known =
    workflows.length === 0
      ? "No workflow is defined here now; get_workflow_state lists the sessions."
      : `Workflows: ${[...offered, ...rest].join("; ")}`;
  return `Start a phased workflow, or resume it for the same target; with session_id and item, one of its items. ${known}`;
}

/** The current phase's wait for a person, and what people said about it. */
function currentWait(stream: StreamSnapshot, { current_phase: phase }: SessionView): CurrentWait {
  const state = sessionRun(stream)?.steps.get(String(phase));
  if (state?.status !== "started") return {};
  const lead = leadOfStep(`Phase ${phase}`, state);
  const items = state.items === undefined ? undefined : (true as const);
  return defined({ waiting_since: state.waiting?.since ?? state.blocked?.since, lead, items });
}

/** The submission kept at the phase a call was about, even if the call could not be parsed. */
async function keptBefore({ workplace, given, caller }: ToolCall): Promise<KeptSubmission> {
  const { data = {} } = readableNames.safeParse(given);
  const engine = data.session_id === undefined ? undefined : await workplace.sessions.find(data.session_id);
  return fitKept(listKept(engine === undefined ? {} : submittedSoFar(await engine.peek(), caller.id)), maxKeptTokens);
}

/** Reads the named phase or the current one; at the end the last one, for review. */
async function readPhase(
  engine: Engine,
  caller: CallerContext,
  phase: number | undefined,
  task: number | undefined,
): Promise<Reply> {
  const part = task === undefined ? {} : { part: String(task) };
  const step = phase === undefined ? {} : { step: String(phase) };
  const reply = await engine.open(caller, { ...step, ...part });
  const { outcome } = reply;
  if (outcome.kind === "finished" && outcome.ref !== null)
    return engine.open(caller, { step: outcome.ref.step, ...part });
  const isNoTask = task !== undefined && outcome.kind === "refused" && outcome.refusal.kind === "invalid_input";
  return isNoTask ? refuseUnknownTask(reply, await engine.open(caller, step), task) : reply;
}

/** Refuses an unknown task and lists those the phase has. */
function refuseUnknownTask(reply: Reply, whole: Reply, task: number): Reply {
  if (reply.outcome.kind !== "refused" || whole.shown === null) return reply;
  const known = (whole.shown.parts ?? []).map(({ part }) => part).join(", ");
  const refusal = {
    kind: "invalid_input",
    message: `Phase ${whole.shown.step} of ${reply.id.name} has no task ${task}`,
    fix: known === "" ? "Read the phase without task." : `Use one of the tasks ${known}, or leave task out.`,
  } as const;
  return { ...reply, outcome: { ...reply.outcome, refusal } };
}

async function list(sessions: Sessions, form: ReplyForm): Promise<CallResult> {
  const [found, counted] = await Promise.all([sessions.all(maxListed), sessions.count(mostCounted)]);
  const newest = found.slice(0, maxListed);
  const views = newest.flatMap(({ engine, stream }) => sessionView(engine.id.name, stream) ?? []);
  const said = warningTexts(sessions.pendingNotices(), { kind: "session", name: "" });
  const older = newest.length < maxListed ? 0 : counted - newest.length;
  return phaseResult(listReply(views, older, said), false, form);
}

/** Carries out a call in a session and renders its reply. */
async function inSession(
  workplace: Pick<Workplace, "sessions" | "standards">,
  id: string,
  form: ReplyForm,
  render: (reply: SessionReply) => PhaseReply,
  work: (engine: Engine) => Promise<Reply>,
): Promise<CallResult> {
  const engine = await workplace.sessions.find(id);
  const reply = engine && (await work(engine));
  if (reply === undefined || reply.stream.session === null) return noSession(id, reply?.warnings, form);
  return answered(workplace, reply, render, form);
}

/** Refuses a session that does not exist, or that cannot be read although it left a trace. */
function noSession(id: string, found: readonly Warning[] | undefined, form: ReplyForm): CallResult {
  const why: readonly Warning[] = found === undefined ? [] : [...found, { kind: "history_unreadable", desk: id }];
  return phaseResult(noSessionReply(id, why), true, form);
}

async function answered(
  { standards }: Pick<Workplace, "standards">,
  reply: Reply,
  render: (reply: SessionReply) => PhaseReply,
  form: ReplyForm,
): Promise<CallResult> {
  if (reply.question !== undefined) return { question: reply.question };
  const settled = { ...wordReply(reply), session: sessionView(reply.id.name, reply.stream) };
  const naming = await fittingStandards(standards, reply, reply.id.name);
  return phaseResult({ ...render(settled), ...naming }, isErrorReply(settled), form);
}

/** Renders a reply about sessions as a tool result. */
function phaseResult(answer: PhaseReply, isError: boolean, form: ReplyForm): CallResult {
  return {
    result: {
      content: [{ type: "text", text: phaseText(answer, form) }],
      structuredContent: answer,
      ...(isError ? { isError } : {}),
    },
  };
}
