import type { Calling } from "../engine/caller.ts";
import type { Engine } from "../engine/engine.ts";
import type { Reply } from "../engine/reply.ts";
import type { Sessions } from "../engine/sessions.ts";
import { rejectionInWords } from "../words/approval.ts";
import { saidInWords } from "../words/notices.ts";
import { inWords, type Kept, kept } from "../words/reply.ts";
import { type SessionView, sessionRun, sessionView } from "../words/session-view.ts";
import { type Desk, handedSoFar } from "../workflow/desk.ts";
import type { Said } from "../workflow/notice.ts";
import type { TextForm } from "./bot-reply.ts";
import { defined } from "./defined.ts";
import { fitKept } from "./fit.ts";
import {
  completeAnswer,
  isFault,
  noSessionAnswer,
  type PhaseAnswer,
  readAnswer,
  roomForKept,
  type SessionReply,
  startAnswer,
} from "./phase-reply.ts";
import { listAnswer, mostInList, pageAnswer, stateAnswer, type Waiting } from "./phase-state.ts";
import { phaseText } from "./phase-text.ts";
import { savedBy } from "./saved-content.ts";
import { aboutWhat, argumentProblem, type Door, phaseArguments, unseenFiles } from "./schemas.ts";
import type { Called } from "./server.ts";

/** Whether a tool is one of those for phased workflows. */
export function isPhaseTool(name: string): name is keyof typeof phaseArguments {
  return Object.hasOwn(phaseArguments, name);
}

/** Carries out a call of a phased tool. */
export async function callPhaseTool(
  sessions: Sessions,
  name: keyof typeof phaseArguments,
  given: unknown,
  caller: Calling,
  { form, seesFiles }: Door,
): Promise<Called> {
  switch (name) {
    case "start_workflow": {
      const parsed = phaseArguments.start_workflow.safeParse(given);
      if (!parsed.success) return invalid(argumentProblem(parsed.error, phaseArguments.start_workflow), form);
      const { workflow_type: type, target_file: target, options } = parsed.data;
      return answered(await sessions.start(caller, defined({ type, target, options })), startAnswer, form);
    }
    case "get_phase_content": {
      const parsed = phaseArguments.get_phase_content.safeParse(given);
      if (!parsed.success) return invalid(argumentProblem(parsed.error, phaseArguments.get_phase_content), form);
      const { session_id, requested_phase, task } = parsed.data;
      return inSession(sessions, session_id, form, async (engine) =>
        answered(await read(engine, caller, requested_phase, task), readAnswer, form),
      );
    }
    case "complete_phase": {
      const parsed = phaseArguments.complete_phase.safeParse(given);
      const problem = parsed.success
        ? unseenFiles(seesFiles, parsed.data.content)
        : argumentProblem(parsed.error, phaseArguments.complete_phase);
      if (!parsed.success || problem !== undefined)
        return invalid(problem ?? "", form, await keptBefore(sessions, given, caller));
      const { session_id, phase, ...handed } = parsed.data;
      return inSession(sessions, session_id, form, async (engine) =>
        answered(
          await engine.complete(caller, defined({ step: String(phase), ...handed })),
          (reply) => ({ ...completeAnswer(reply), ...(seesFiles ? {} : savedBy(reply, roomForKept)) }),
          form,
        ),
      );
    }
    case "get_workflow_state": {
      const parsed = phaseArguments.get_workflow_state.safeParse(given);
      if (!parsed.success) return invalid(argumentProblem(parsed.error, phaseArguments.get_workflow_state), form);
      const { session_id, phase, page = 1 } = parsed.data;
      if (session_id === undefined && phase !== undefined) return invalid("phase: say of which session_id", form);
      if (session_id === undefined) return list(sessions, form);
      return inSession(sessions, session_id, form, async (engine, glanced) => {
        if (phase !== undefined && isAhead(phase, sessionView(session_id, glanced)))
          return answered(await read(engine, caller, phase, undefined), readAnswer, form);
        const { desk, warnings } = await engine.look(caller);
        const now = sessionView(session_id, desk) ?? sessionView(session_id, glanced);
        if (now === null) return result(noSessionAnswer(session_id, warnings), true, form);
        if (phase === undefined)
          return result(stateAnswer(now, warnings, await engine.stale(), waitingOf(desk, now)), false, form);
        const answer = pageAnswer(now, phase, page, warnings);
        return result(answer, "error" in answer, form);
      });
    }
  }
}

/** A phase that is neither completed nor the current one is refused as it is where its content is asked for. */
function isAhead(phase: number, view: SessionView | null): boolean {
  return view !== null && view.phase_artifacts[phase] === undefined && phase !== view.current_phase;
}

/** How the current phase of a session stands to people. */
function waitingOf(desk: Desk, { current_phase: phase }: SessionView): Waiting {
  const { waiting, rejected } = sessionRun(desk)?.steps.get(String(phase)) ?? {};
  return {
    ...(waiting === undefined ? {} : { waiting_since: waiting.since }),
    ...(rejected === undefined ? {} : { rejection: rejectionInWords(rejected, `Phase ${phase}`) }),
  };
}

/** What is kept of the phase that a call was about, though the call itself could not be read. */
async function keptBefore(sessions: Sessions, given: unknown, caller: Calling): Promise<Kept> {
  const { data = {} } = aboutWhat.safeParse(given);
  const engine = data.session_id === undefined ? undefined : await sessions.find(data.session_id);
  return fitKept(kept(engine === undefined ? {} : handedSoFar(await engine.glance(), caller.id)), roomForKept);
}

/** Reads a phase: the named one, or where the session stands; at its end the last one, for review. */
async function read(
  engine: Engine,
  caller: Calling,
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
  return isNoTask ? noTask(reply, await engine.open(caller, step), task) : reply;
}

/** No to a task that a phase does not have, with those that it has. */
function noTask(reply: Reply, whole: Reply, task: number): Reply {
  if (reply.outcome.kind !== "refused" || whole.shown === null) return reply;
  const known = (whole.shown.parts ?? []).map(({ part }) => part).join(", ");
  const refusal = {
    kind: "invalid_input",
    message: `Phase ${whole.shown.step} of ${reply.id.name} has no task ${task}`,
    fix: known === "" ? "Read the phase without task." : `Use one of the tasks ${known}, or leave task out.`,
  } as const;
  return { ...reply, outcome: { ...reply.outcome, refusal } };
}

async function list(sessions: Sessions, form: TextForm): Promise<Called> {
  const newest = (await sessions.all(mostInList)).slice(0, mostInList);
  const views = newest.flatMap(({ engine, desk }) => sessionView(engine.id.name, desk) ?? []);
  const said = saidInWords(sessions.untold(), { kind: "session", name: "" });
  const older = newest.length < mostInList ? 0 : (await sessions.count()) - newest.length;
  return result(listAnswer(views, older, said), false, form);
}

/** Works in a session; or says that there is none, and why where one left a trace. */
async function inSession(
  sessions: Sessions,
  id: string,
  form: TextForm,
  work: (engine: Engine, desk: Desk) => Promise<Called>,
): Promise<Called> {
  const engine = await sessions.find(id);
  const desk = await engine?.glance();
  if (engine !== undefined && desk !== undefined && desk.session !== null) return work(engine, desk);
  const why: readonly Said[] = engine === undefined ? [] : [...engine.told(), { kind: "history_unreadable", desk: id }];
  return result(noSessionAnswer(id, why), true, form);
}

function answered(reply: Reply, render: (reply: SessionReply) => PhaseAnswer, form: TextForm): Called {
  if (reply.question !== undefined) return { question: reply.question };
  const settled = { ...inWords(reply), session: sessionView(reply.id.name, reply.desk) };
  return result(render(settled), isFault(settled), form);
}

function invalid(problem: string, form: TextForm, before?: Kept): Called {
  return result(
    {
      ...(before === undefined ? {} : { kept: before }),
      error: "invalid_input",
      message: `Not taken: ${problem.slice(0, 300)}.`,
      required_action: "Correct the arguments and call again; nothing has changed.",
      warnings: [],
    },
    true,
    form,
  );
}

/** An answer about sessions as a tool's result. */
export function result(answer: PhaseAnswer, isError: boolean, form: TextForm): Called {
  return {
    result: {
      content: [{ type: "text", text: phaseText(answer, form) }],
      structuredContent: answer,
      ...(isError ? { isError } : {}),
    },
  };
}
