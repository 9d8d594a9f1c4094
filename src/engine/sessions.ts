import { objectProblem } from "../evidence/object-problem.ts";
import { sameTarget } from "../evidence/same-target.ts";
import { idsBegin, isSessionOf, type SessionKey, sessionsOf } from "../evidence/session-id.ts";
import type { Desk } from "../workflow/desk.ts";
import { emptyDesk } from "../workflow/desk.ts";
import type { Said } from "../workflow/notice.ts";
import type { Refusal } from "../workflow/refusal.ts";
import type { Calling } from "./caller.ts";
import type { DeskParts } from "./desk-parts.ts";
import { createEngine, type Engine } from "./engine.ts";
import type { PhasedDefinitions, WorkflowListed } from "./phased-ports.ts";
import type { DeskId, EventLog } from "./ports.ts";
import type { Reply } from "./reply.ts";
import type { StartRequest } from "./request.ts";

/** What the sessions of a project need from outside. */
export type SessionsParts<W> = {
  /** What any desk needs, but for the definitions, where the files of a run stand. */
  partsFor(run: string | undefined): Promise<Omit<DeskParts, "id" | "definitions">>;
  /** The run that sessions begun here belong to: the same target in two is two sessions. */
  runHere(): Promise<string | undefined>;
  readonly definitions: PhasedDefinitions<W>;
  /** Where targets are files of. */
  readonly projectArea: string;
};

/** The sessions of a project: begun, found again, and each at work like any desk. */
export type Sessions = {
  /** Starts a session, or resumes the unfinished one for the same workflow, target and options. */
  start(caller: Calling, request: StartRequest): Promise<Reply & { readonly resumed?: true }>;
  /** The engine of a session that left a trace; undefined where there is none. */
  find(session: string): Promise<Engine | undefined>;
  /** Whether any session has left a trace. */
  any(): Promise<boolean>;
  /** How many have. */
  count(): Promise<number>;
  /** Every session with its desk, the one that changed last first; those whose history tells nothing are left out. `most`: the latest will do, where the store knows them. */
  all(most?: number): Promise<readonly { readonly engine: Engine; readonly desk: Desk }[]>;
  /** What was found out about sessions and not said yet. */
  untold(): readonly Said[];
  /** The same, taken: it counts as said. */
  told(): readonly Said[];
  /** The workflows there are to start. */
  workflows(): Promise<readonly WorkflowListed[]>;
  /** Writes what waits in memory. */
  settle(): Promise<readonly string[]>;
};

/** Opens the sessions of a project, each at its first use. */
export function openSessions<W>(parts: SessionsParts<W>): Sessions {
  const { definitions, projectArea } = parts;
  type Given = Omit<DeskParts, "id" | "definitions">;
  const engines = new Map<
    string,
    { readonly engine: Engine; readonly given: Given; readonly run: string | undefined }
  >();
  const log = async (): Promise<EventLog> => (await parts.partsFor(undefined)).log;
  /** A session at work; `begun`: what it is to begin with, where it is not on record yet. */
  const engineOf = async (name: string, begun?: { readonly run: string | undefined; readonly workflow: W }) => {
    const id: DeskId = { kind: "session", name };
    const known = begun === undefined ? engines.get(name) : undefined;
    const { desk, warnings } = (begun ?? known) ? {} : await (await log()).look(id);
    const { run } = begun ?? known ?? desk?.session ?? {};
    const given = await parts.partsFor(run);
    // Where its work tree has come or gone, its files stand elsewhere now.
    if (known?.given === given) return known.engine;
    const heard: readonly Said[] = known === undefined ? (warnings ?? []) : [{ kind: "files_elsewhere" }];
    const engine = createEngine({ ...given, id, definitions: definitions.forSession(begun?.workflow) }, heard);
    engines.set(name, { engine, given, run });
    return engine;
  };

  async function resume(caller: Calling, session: string): Promise<Reply & { readonly resumed: true }> {
    return { ...(await (await engineOf(session)).open(caller, {})), resumed: true };
  }

  async function begin(caller: Calling, key: SessionKey, next: string, workflow: W): Promise<Reply> {
    const pinned = await definitions.pin(workflow);
    if (pinned === undefined) return refused({ kind: "not_recorded" });
    const { type, ...about } = key;
    const reply = await (await engineOf(next, { run: key.run, workflow })).begin(caller, {
      workflow: type,
      ...about,
      ...pinned,
    });
    // Where another was quicker, it is theirs that goes on.
    const { outcome, desk } = reply;
    const opened = outcome.kind === "opened" ? desk.runs.get(outcome.ref.workflow)?.steps.get(outcome.ref.step) : null;
    return opened?.openedBy.includes(caller.id) === false ? resume(caller, next) : reply;
  }

  return {
    workflows: definitions.list,
    async start(caller, request) {
      const { options = {} } = request;
      const target = request.target === undefined ? null : sameTarget(request.target, projectArea);
      const problem =
        objectProblem("options", options) ??
        (target !== null && (target === "" || target.includes("\0")) ? "target_file is not a path" : undefined);
      if (problem !== undefined) return refused(invalid(problem, nothingChanged));
      const listed = await definitions.list();
      const { type, others } = namesOf(listed, request.type);
      const run = await parts.runHere();
      const key: SessionKey = { type, target, options, ...(run === undefined ? {} : { run }) };
      // Sessions that were begun under another name of the workflow go on; those under its own come first.
      const keys = [...others, type].map((name) => ({ ...key, type: name }));
      const history = await log();
      const found = await Promise.all(keys.map((one) => sessionIds(history, idsBegin(one))));
      const ids = [...new Set(found.flat())];
      const { next } = sessionsOf(key, ids);
      const { unfinished, finished, damaged } = await findUnfinished(
        await Promise.all(keys.flatMap((one) => sessionsOf(one, ids).known).map((name) => engineOf(name))),
        (session) => keys.some((one) => isSessionOf(one, session)),
      );
      const warned = <R extends Reply>(reply: R, ...said: Said[]): R => ({
        ...reply,
        warnings: [...reply.warnings, ...damaged, ...said],
      });
      if (unfinished !== undefined) return warned(await resume(caller, unfinished));
      const reading = await definitions.read(type, options);
      if ("workflow" in reading) {
        const reply = await begin(caller, key, next, reading.workflow);
        return finished === undefined || "resumed" in reply ? warned(reply) : warned(reply, finished);
      }
      if ("unknown" in reading)
        return refused({ kind: "unknown_workflow", workflow: type, known: listed.map((one) => one.type) });
      if ("invalidOptions" in reading) return refused(invalid(reading.invalidOptions, reading.required_action));
      return refused({ kind: "invalid_definition", problem: reading.problem });
    },
    async find(session) {
      const isKnown = engines.has(session) || (await (await log()).has({ kind: "session", name: session }));
      return isKnown ? engineOf(session) : undefined;
    },
    any: async () => (await sessionIds(await log())).length > 0,
    count: async () => (await sessionIds(await log())).length,
    async all(most) {
      const history = await log();
      const newest = most === undefined ? undefined : await history.latest?.("session", most);
      const found = (newest?.map(({ name }) => name) ?? (await sessionIds(history))).map(async (name) => {
        const engine = await engineOf(name);
        return { engine, desk: await engine.glance() };
      });
      const begun = (await Promise.all(found)).filter(({ desk }) => desk.session !== null);
      return begun.sort((a, b) => ((a.desk.session?.changedAt ?? "") < (b.desk.session?.changedAt ?? "") ? 1 : -1));
    },
    untold: () => [...engines.values()].flatMap(({ engine }) => engine.untold()),
    told: () => [...engines.values()].flatMap(({ engine }) => engine.told()),
    settle: async () => (await Promise.all([...engines.values()].map(({ engine }) => engine.settle()))).flat(),
  };
}

async function sessionIds(log: EventLog, begins?: string): Promise<readonly string[]> {
  return (await log.desks("session", begins)).map(({ name }) => name);
}

const nothingChanged = "Correct the arguments and call again; nothing has changed.";

function invalid(message: string, fix: string): Refusal {
  return { kind: "invalid_input", message, fix };
}

/** A refusal before there is a session. */
function refused(refusal: Refusal): Reply {
  const outcome = { kind: "refused", workflow: null, current: null, refusal } as const;
  return { id: { kind: "session", name: "" }, outcome, desk: emptyDesk, shown: null, warnings: [] };
}

/** The name that a workflow is recorded by, whichever of its names was given, and its other names. */
function namesOf(
  listed: readonly WorkflowListed[],
  asked: string,
): { readonly type: string; readonly others: readonly string[] } {
  const found = listed.find(({ type }) => type === asked) ?? listed.find(({ aliases }) => aliases?.includes(asked));
  return found === undefined ? { type: asked, others: [] } : { type: found.type, others: found.aliases ?? [] };
}

/** The newest session that is not finished, else the newest that is, and what is to be said of those whose history is there and tells nothing. */
async function findUnfinished(
  known: readonly Engine[],
  isMeant: (session: NonNullable<Desk["session"]>) => boolean,
): Promise<{ readonly unfinished?: string; readonly finished?: Said; readonly damaged: readonly Said[] }> {
  const damaged: Said[] = [];
  let finished: Said | undefined;
  for (const engine of known.toReversed()) {
    const { session, runs, archivedAt, moves } = await engine.glance();
    if (session === null && archivedAt === null)
      damaged.push(...engine.told(), { kind: "history_unreadable", desk: engine.id.name });
    if (session === null || archivedAt !== null || !isMeant(session)) continue;
    const steps = [...runs.values()].flatMap((run) => [...run.steps.values()]);
    const isFinished = steps.filter(({ status }) => status === "completed").length === session.total;
    if (!isFinished) return { unfinished: engine.id.name, damaged };
    const last = moves.findLast(({ what }) => what === "completed");
    finished ??= { kind: "finished_before", session: engine.id.name, ...(last === undefined ? {} : { last }) };
  }
  return { damaged, ...(finished === undefined ? {} : { finished }) };
}
