import type { CallerContext } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Reply } from "../engine/reply.ts";
import type { Sessions } from "../engine/sessions.ts";
import { defined } from "../kit/defined.ts";
import { warningTexts } from "../messages/notices.ts";
import { type KeptSubmission, leadOfStep, listKept, wordReply } from "../messages/worded-reply.ts";
import type { Warning } from "../workflow/notice.ts";
import { type SessionView, sessionRun, sessionView } from "../workflow/session-view.ts";
import { type StreamSnapshot, submittedSoFar } from "../workflow/stream-snapshot.ts";
import type { ReplyForm } from "./bot-reply.ts";
import type { CallResult } from "./call-result.ts";
import { fitKept } from "./fit.ts";
import {
  completeReply,
  isErrorReply,
  maxKeptTokens,
  noSessionReply,
  type PhaseReply,
  readReply,
  type SessionReply,
  startReply,
} from "./phase-reply.ts";
import { type CurrentWait, listReply, maxListed, pageReply, stateReply } from "./phase-state.ts";
import { phaseText } from "./phase-text.ts";
import { savedUris } from "./saved-content.ts";
import {
  argumentProblem,
  type ConnectionTraits,
  missingTextProblem,
  phaseArguments,
  readableNames,
} from "./schemas.ts";

/** Tells if a tool belongs to phased workflows. */
export function isPhaseTool(name: string): name is keyof typeof phaseArguments {
  return Object.hasOwn(phaseArguments, name);
}

/** Handles a call of a phase tool. */
export async function callPhaseTool(
  sessions: Sessions,
  name: keyof typeof phaseArguments,
  given: unknown,
  caller: CallerContext,
  { form, seesFiles }: ConnectionTraits,
): Promise<CallResult> {
  switch (name) {
    case "start_workflow": {
      const parsed = phaseArguments.start_workflow.safeParse(given);
      if (!parsed.success) return invalid(argumentProblem(parsed.error, phaseArguments.start_workflow), form);
      const { workflow_type: type, target_file: target, options } = parsed.data;
      return answered(await sessions.start(caller, defined({ type, target, options })), startReply, form);
    }
    case "get_phase_content": {
      const parsed = phaseArguments.get_phase_content.safeParse(given);
      if (!parsed.success) return invalid(argumentProblem(parsed.error, phaseArguments.get_phase_content), form);
      const { session_id, requested_phase, task } = parsed.data;
      return withSession(sessions, session_id, form, async (engine) =>
        answered(await readPhase(engine, caller, requested_phase, task), readReply, form),
      );
    }
    case "complete_phase": {
      const parsed = phaseArguments.complete_phase.safeParse(given);
      const problem = parsed.success
        ? missingTextProblem(seesFiles, parsed.data.content)
        : argumentProblem(parsed.error, phaseArguments.complete_phase);
      if (!parsed.success || problem !== undefined)
        return invalid(problem ?? "", form, await keptBefore(sessions, given, caller));
      const { session_id, phase, ...submitted } = parsed.data;
      return withSession(sessions, session_id, form, async (engine) =>
        answered(
          await engine.complete(caller, defined({ step: String(phase), ...submitted })),
          (reply) => ({ ...completeReply(reply), ...(seesFiles ? {} : savedUris(reply, maxKeptTokens)) }),
          form,
        ),
      );
    }
    case "get_workflow_state": {
      const parsed = phaseArguments.get_workflow_state.safeParse(given);
      if (!parsed.success) return invalid(argumentProblem(parsed.error, phaseArguments.get_workflow_state), form);
      const { session_id, phase, page = 1 } = parsed.data;
      if (session_id === undefined && phase !== undefined) return invalid("phase needs a session_id", form);
      if (session_id === undefined) return list(sessions, form);
      return withSession(sessions, session_id, form, async (engine, glanced) => {
        if (phase !== undefined && isAhead(phase, sessionView(session_id, glanced)))
          return answered(await readPhase(engine, caller, phase, undefined), readReply, form);
        const { stream, warnings } = await engine.inspect(caller);
        const now = sessionView(session_id, stream) ?? sessionView(session_id, glanced);
        if (now === null) return phaseResult(noSessionReply(session_id, warnings), true, form);
        if (phase === undefined)
          return phaseResult(
            stateReply(now, warnings, await engine.staleProofs(), currentWait(stream, now)),
            false,
            form,
          );
        const answer = pageReply(now, phase, page, warnings);
        return phaseResult(answer, "error" in answer, form);
      });
    }
  }
}

/** A phase that is neither completed nor current is refused, as its content is. */
function isAhead(phase: number, view: SessionView | null): boolean {
  return view !== null && view.phase_artifacts[phase] === undefined && phase !== view.current_phase;
}

/** The current phase's wait for a person, and what people said about it. */
function currentWait(stream: StreamSnapshot, { current_phase: phase }: SessionView): CurrentWait {
  const state = sessionRun(stream)?.steps.get(String(phase));
  if (state?.status !== "started") return {};
  const lead = leadOfStep(`Phase ${phase}`, state);
  return defined({ waiting_since: state.waiting?.since ?? state.blocked?.since, lead });
}

/** The submission kept at the phase a call was about, even if the call could not be parsed. */
async function keptBefore(sessions: Sessions, given: unknown, caller: CallerContext): Promise<KeptSubmission> {
  const { data = {} } = readableNames.safeParse(given);
  const engine = data.session_id === undefined ? undefined : await sessions.find(data.session_id);
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
  const newest = (await sessions.all(maxListed)).slice(0, maxListed);
  const views = newest.flatMap(({ engine, stream }) => sessionView(engine.id.name, stream) ?? []);
  const said = warningTexts(sessions.pendingNotices(), { kind: "session", name: "" });
  const older = newest.length < maxListed ? 0 : (await sessions.count()) - newest.length;
  return phaseResult(listReply(views, older, said), false, form);
}

/** Runs work in a session; or replies that there is none, with the reason if it left a trace. */
async function withSession(
  sessions: Sessions,
  id: string,
  form: ReplyForm,
  work: (engine: Engine, stream: StreamSnapshot) => Promise<CallResult>,
): Promise<CallResult> {
  const engine = await sessions.find(id);
  const stream = await engine?.peek();
  if (engine !== undefined && stream !== undefined && stream.session !== null) return work(engine, stream);
  const why: readonly Warning[] =
    engine === undefined ? [] : [...engine.takeNotices(), { kind: "history_unreadable", desk: id }];
  return phaseResult(noSessionReply(id, why), true, form);
}

function answered(reply: Reply, render: (reply: SessionReply) => PhaseReply, form: ReplyForm): CallResult {
  if (reply.question !== undefined) return { question: reply.question };
  const settled = { ...wordReply(reply), session: sessionView(reply.id.name, reply.stream) };
  return phaseResult(render(settled), isErrorReply(settled), form);
}

function invalid(problem: string, form: ReplyForm, before?: KeptSubmission): CallResult {
  return phaseResult(
    {
      ...defined({ kept: before }),
      error: "invalid_input",
      message: `Not accepted: ${problem.slice(0, 300)}.`,
      required_action: "Correct the arguments and call again; nothing has changed.",
      warnings: [],
    },
    true,
    form,
  );
}

/** Renders a reply about sessions as a tool result. */
export function phaseResult(answer: PhaseReply, isError: boolean, form: ReplyForm): CallResult {
  return {
    result: {
      content: [{ type: "text", text: phaseText(answer, form) }],
      structuredContent: answer,
      ...(isError ? { isError } : {}),
    },
  };
}
