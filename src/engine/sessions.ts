import { giveInputs, readInputTexts } from "../gates/input.ts";
import { defined } from "../kit/defined.ts";
import { objectProblem } from "../kit/object-limits.ts";
import type { Warning } from "../workflow/notice.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { normalizeTarget } from "../workflow/same-target.ts";
import { idsBegin, isSessionOf, type SessionKey, sessionsOf } from "../workflow/session-id.ts";
import { sessionView } from "../workflow/session-view.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import { emptyStream } from "../workflow/stream-snapshot.ts";
import type { CallerContext } from "./caller.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { EventLog } from "./ports/event-log.ts";
import type { PhasedDefinitions, WorkflowListing } from "./ports/phased.ts";
import type { Reply } from "./reply.ts";
import type { StartRequest } from "./request.ts";

/** Everything that the sessions of a project are given. */
export type SessionDeps<W> = {
  /** The parts of any stream except definitions, for the files of a run. */
  depsFor(run: string | undefined): Promise<Omit<EngineDeps, "id" | "definitions">>;
  /** The run that sessions started here belong to; the same target in two runs is two sessions. */
  runHere(): Promise<string | undefined>;
  readonly definitions: PhasedDefinitions<W>;
  /** The folder that targets are relative to. */
  readonly projectArea: string;
};

/** The sessions of a project. */
export type Sessions = {
  /** Starts a session, or resumes the unfinished one for the same workflow, target and options. */
  start(caller: CallerContext, request: StartRequest): Promise<Reply & { readonly resumed?: true }>;
  /** The engine of a session; undefined if there is none. */
  find(session: string): Promise<Engine | undefined>;
  /** Tells if there is any session. */
  hasAny(): Promise<boolean>;
  /** The number of sessions. */
  count(): Promise<number>;
  /** Every session with its stream, most recently changed first; unreadable histories are left out. `most`: only the latest, if the store knows them. */
  all(most?: number): Promise<readonly { readonly engine: Engine; readonly stream: StreamSnapshot }[]>;
  /** The notices about sessions that no reply has carried yet. */
  pendingNotices(): readonly Warning[];
  /** Takes those notices; they count as delivered. */
  takeNotices(): readonly Warning[];
  /** The workflows that can be started. */
  workflows(): Promise<readonly WorkflowListing[]>;
  /** Writes what waits in memory. */
  settle(): Promise<readonly string[]>;
};

/** Opens the sessions of a project, each at its first use. */
export function openSessions<W>(parts: SessionDeps<W>): Sessions {
  const { definitions, projectArea } = parts;
  type Given = Omit<EngineDeps, "id" | "definitions">;
  const engines = new Map<
    string,
    { readonly engine: Engine; readonly given: Given; readonly run: string | undefined }
  >();
  const log = async (): Promise<EventLog> => (await parts.depsFor(undefined)).log;
  /** The engine of a session; `begun` is what it begins with if it is not recorded yet. */
  const engineOf = async (name: string, begun?: { readonly run: string | undefined; readonly workflow: W }) => {
    const id: StreamId = { kind: "session", name };
    const known = begun === undefined ? engines.get(name) : undefined;
    const { stream, warnings } = (begun ?? known) ? {} : await (await log()).load(id);
    const { run } = begun ?? known ?? stream?.session ?? {};
    const given = await parts.depsFor(run);
    // its worktree came or went, so its files are elsewhere now
    if (known?.given === given) return known.engine;
    const heard: readonly Warning[] = known === undefined ? (warnings ?? []) : [{ kind: "files_elsewhere" }];
    const engine = createEngine({ ...given, id, definitions: definitions.forSession(begun?.workflow) }, heard);
    engines.set(name, { engine, given, run });
    return engine;
  };

  async function resume(caller: CallerContext, session: string): Promise<Reply & { readonly resumed: true }> {
    return { ...(await (await engineOf(session)).open(caller, {})), resumed: true };
  }

  async function begin(caller: CallerContext, key: SessionKey, next: string, workflow: W): Promise<Reply> {
    const pinned = await definitions.pin(workflow);
    if (pinned === undefined) return refusalReply({ kind: "not_recorded" });
    const { type, ...about } = key;
    const reply = await (await engineOf(next, { run: key.run, workflow })).begin(caller, {
      workflow: type,
      ...about,
      ...pinned,
    });
    // another caller was quicker: continue its session
    const { outcome, stream } = reply;
    const opened =
      outcome.kind === "opened" ? stream.runs.get(outcome.ref.workflow)?.steps.get(outcome.ref.step) : null;
    return opened?.openedBy.includes(caller.id) === false ? resume(caller, next) : reply;
  }

  return {
    workflows: definitions.list,
    async start(caller, request) {
      const { options = {}, inputs: sent = {}, inputTexts = {} } = request;
      const target = request.target === undefined ? null : normalizeTarget(request.target, projectArea);
      const problem =
        objectProblem("options", options) ??
        objectProblem("inputs", sent) ??
        (target !== null && (target === "" || target.includes("\0")) ? "target_file is not a path" : undefined);
      if (problem !== undefined) return refusalReply(invalid(problem, correctArguments));
      const listed = await definitions.list();
      const { type, others } = workflowNames(listed, request.type);
      const run = await parts.runHere();
      const reading = await definitions.read(type, options);
      // where the definition cannot be read, a session that is under way goes on by the inputs as given
      const declared = "workflow" in reading ? (reading.inputs ?? []) : undefined;
      const taken = giveInputs(declared, { ...sent, ...readInputTexts(declared ?? [], inputTexts) });
      if ("problem" in taken) return refusalReply(invalid(taken.problem, taken.fix));
      const key: SessionKey = { type, target, options, ...defined({ inputs: taken.inputs, run }) };
      // sessions started under another name of the workflow continue; those under its own come first
      const keys = [...others, type].map((name) => ({ ...key, type: name }));
      const history = await log();
      const found = await Promise.all(keys.map((one) => sessionIds(history, idsBegin(one))));
      const ids = [...new Set(found.flat())];
      const { next } = sessionsOf(key, ids);
      const { unfinished, finished, damaged } = await findUnfinished(
        await Promise.all(keys.flatMap((one) => sessionsOf(one, ids).known).map((name) => engineOf(name))),
        (session) => keys.some((one) => isSessionOf(one, session)),
      );
      const warned = <R extends Reply>(reply: R, ...said: Warning[]): R => ({
        ...reply,
        warnings: [...reply.warnings, ...damaged, ...said],
      });
      if (unfinished !== undefined) return warned(await resume(caller, unfinished));
      if ("workflow" in reading) {
        const reply = await begin(caller, key, next, reading.workflow);
        return finished === undefined || "resumed" in reply ? warned(reply) : warned(reply, finished);
      }
      if ("unknown" in reading)
        return refusalReply({ kind: "unknown_workflow", workflow: type, known: listed.map((one) => one.type) });
      if ("invalidOptions" in reading) return refusalReply(invalid(reading.invalidOptions, reading.required_action));
      return refusalReply({ kind: "invalid_definition", problem: reading.problem });
    },
    async find(session) {
      const isKnown = engines.has(session) || (await (await log()).has({ kind: "session", name: session }));
      return isKnown ? engineOf(session) : undefined;
    },
    hasAny: async () => (await sessionIds(await log())).length > 0,
    count: async () => (await sessionIds(await log())).length,
    async all(most) {
      const history = await log();
      const newest = most === undefined ? undefined : await history.latest?.("session", most);
      const found = (newest?.map(({ name }) => name) ?? (await sessionIds(history))).map(async (name) => {
        const engine = await engineOf(name);
        return { engine, stream: await engine.peek() };
      });
      const begun = (await Promise.all(found)).filter(({ stream }) => stream.session !== null);
      return begun.sort((a, b) => ((a.stream.session?.changedAt ?? "") < (b.stream.session?.changedAt ?? "") ? 1 : -1));
    },
    pendingNotices: () => [...engines.values()].flatMap(({ engine }) => engine.pendingNotices()),
    takeNotices: () => [...engines.values()].flatMap(({ engine }) => engine.takeNotices()),
    settle: async () => (await Promise.all([...engines.values()].map(({ engine }) => engine.settle()))).flat(),
  };
}

async function sessionIds(log: EventLog, begins?: string): Promise<readonly string[]> {
  return (await log.streams("session", begins)).map(({ name }) => name);
}

const correctArguments = "Correct the arguments and call again; nothing has changed.";

function invalid(message: string, fix: string): Refusal {
  return { kind: "invalid_input", message, fix };
}

/** A refusal before there is a session. */
function refusalReply(refusal: Refusal): Reply {
  const outcome = { kind: "refused", workflow: null, current: null, refusal } as const;
  return { id: { kind: "session", name: "" }, outcome, stream: emptyStream, shown: null, warnings: [] };
}

/** The recorded name of a workflow, for any of its names, and its other names. */
function workflowNames(
  listed: readonly WorkflowListing[],
  name: string,
): { readonly type: string; readonly others: readonly string[] } {
  const found = listed.find(({ type }) => type === name) ?? listed.find(({ aliases }) => aliases?.includes(name));
  return found === undefined ? { type: name, others: [] } : { type: found.type, others: found.aliases ?? [] };
}

/** The newest unfinished session, otherwise the newest finished one, and notices about unreadable histories. */
async function findUnfinished(
  known: readonly Engine[],
  isMeant: (session: NonNullable<StreamSnapshot["session"]>) => boolean,
): Promise<{ readonly unfinished?: string; readonly finished?: Warning; readonly damaged: readonly Warning[] }> {
  const damaged: Warning[] = [];
  let finished: Warning | undefined;
  for (const engine of known.toReversed()) {
    const stream = await engine.peek();
    const { session, archivedAt, moves } = stream;
    if (session === null && archivedAt === null)
      damaged.push(...engine.takeNotices(), { kind: "history_unreadable", desk: engine.id.name });
    if (session === null || archivedAt !== null || !isMeant(session)) continue;
    if (sessionView(engine.id.name, stream)?.workflow_complete === false)
      return { unfinished: engine.id.name, damaged };
    const last = moves.findLast(({ what }) => what === "completed");
    finished ??= { kind: "finished_before", session: engine.id.name, ...defined({ last }) };
  }
  return { damaged, ...defined({ finished }) };
}
