import type { Calls } from "../gates/calls.ts";
import { giveInputs, readInputTexts } from "../gates/input.ts";
import { defined } from "../kit/defined.ts";
import { objectProblem } from "../kit/object-limits.ts";
import { recentMap } from "../kit/recent-map.ts";
import { itemValues } from "../workflow/decide-items.ts";
import { isItemSession } from "../workflow/item-id.ts";
import type { ItemState } from "../workflow/item-state.ts";
import type { Warning } from "../workflow/notice.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { normalizeTarget } from "../workflow/same-target.ts";
import { idsBegin, isSessionOf, type SessionKey, sessionsOf } from "../workflow/session-id.ts";
import { sessionView } from "../workflow/session-view.ts";
import type { StepRef } from "../workflow/step-ref.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import { emptyStream } from "../workflow/stream-snapshot.ts";
import type { CallerContext } from "./caller.ts";
import { createEngine, type Engine, mostEngines } from "./engine.ts";
import type { EngineDeps, ItemLook } from "./engine-deps.ts";
import { type FindParent, guardItem, type ItemParent, lookAtSession } from "./item-sessions.ts";
import type { EventLog } from "./ports/event-log.ts";
import type { PhasedDefinitions, WorkflowListing } from "./ports/phased.ts";
import type { Reply } from "./reply.ts";
import type { StartRequest } from "./request.ts";
import { cannotBegin } from "./work-on-items.ts";

/** Everything that the sessions of a project are given. */
export type SessionDeps<W> = {
  /** The parts of any stream except definitions, for the files of a run. */
  depsFor(run: string | undefined): Promise<Omit<EngineDeps, "id" | "definitions">>;
  /** The run that sessions started here belong to; the same target in two runs is two sessions. */
  runHere(): Promise<string | undefined>;
  readonly definitions: PhasedDefinitions<W>;
  /** The folder that targets are relative to. */
  readonly projectArea: string;
  /** The behavior of a bot that has items, by the name its items give it. */
  readonly findBehavior?: FindParent;
};

/** The sessions of a project. */
export type Sessions = {
  /** Starts a session, or resumes the unfinished one for the same workflow, target and options. */
  start(caller: CallerContext, request: StartRequest): Promise<Reply & { readonly resumed?: true }>;
  /** Opens an item of a session or of a bot's behavior, and starts its own session, or resumes it. */
  startItem(caller: CallerContext, parent: string, item: string): Promise<Reply & { readonly resumed?: true }>;
  /** The sessions of the open items of a stream, and of theirs. */
  openItems(parent: StreamSnapshot): Promise<readonly OpenItem[]>;
  /** The state of an item's session, for the step that has it. */
  lookAtItem(session: string, calls: Calls): Promise<ItemLook | undefined>;
  /** The engine of a session; undefined if there is none. */
  find(session: string): Promise<Engine | undefined>;
  /** Tells if there is any session. */
  hasAny(): Promise<boolean>;
  /** The number of sessions. */
  count(most: number): Promise<number>;
  /** Every session that is no item, with its stream, most recently changed first; unreadable histories are left out. `most`: only the latest, if the store knows them. */
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

/** The open session of an item. */
export type OpenItem = { readonly engine: Engine; readonly stream: StreamSnapshot };

/** Opens the sessions of a project, each at its first use. */
export function openSessions<W>(parts: SessionDeps<W>): Sessions {
  const { definitions, projectArea } = parts;
  type Given = Omit<EngineDeps, "id" | "definitions">;
  type Opened = { readonly engine: Engine; readonly given: Given; readonly run: string | undefined };
  const engines = recentMap<Opened>(mostEngines, ({ engine }) => engine.isIdle());
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
    const deps = { ...given, id, definitions: definitions.forSession(begun?.workflow), lookAtItem };
    const plain = createEngine(deps, heard);
    const engine = isItemSession(name) ? guardItem(plain, findParent) : plain;
    engines.set(name, { engine, given, run });
    return engine;
  };

  async function lookAtItem(session: string, calls: Calls): Promise<ItemLook | undefined> {
    const id: StreamId = { kind: "session", name: session };
    const loaded = await (await log()).load(id);
    if (loaded.stream.session === null) return undefined;
    const { plan } = await definitions.forSession().plan(Promise.resolve(loaded));
    return lookAtSession(session, loaded.stream, loaded.head, plan, calls);
  }

  async function findParent(id: string): Promise<ItemParent | undefined> {
    const isKnown = engines.has(id) || (await (await log()).has({ kind: "session", name: id }));
    return isKnown ? { engine: await engineOf(id), id, isBot: false } : parts.findBehavior?.(id);
  }

  async function openItems({ runs }: StreamSnapshot): Promise<readonly OpenItem[]> {
    const names = [...runs.values()].flatMap(({ steps }) =>
      [...steps.values()].flatMap(({ status, items }) =>
        status !== "started"
          ? []
          : (items?.items ?? []).flatMap((one) => (one.status === "open" ? (one.sessions?.at(-1) ?? []) : [])),
      ),
    );
    const open = await Promise.all(
      names.map(async (name): Promise<readonly OpenItem[]> => {
        const engine = await engineOf(name);
        const stream = await engine.peek();
        return stream.session === null ? [] : [{ engine, stream }, ...(await openItems(stream))];
      }),
    );
    return open.flat();
  }

  /** Begins the session of an item that its parent has opened. */
  async function beginItem(
    caller: CallerContext,
    parent: ItemParent,
    { ref, item, session }: OpenedItem,
  ): Promise<Reply & { readonly resumed?: true }> {
    const isBegun = (await (await log()).load({ kind: "session", name: session })).stream.session !== null;
    if (isBegun) return resume(caller, session);
    const stream = await parent.engine.peek();
    const facts = await parent.engine.itemSession(ref, item);
    if ("problem" in facts) return refusalReply(cannotBegin(item.id, facts.problem));
    const workflow = await definitions.pinned(facts.definition);
    if (workflow === undefined) return refusalReply({ kind: "not_recorded" });
    const { target = null, options = {}, run } = stream.session ?? { run: parent.engine.id.run };
    const engine = await engineOf(session, { run, workflow });
    const about = { parent: parent.id, id: item.id, values: itemValues(item) };
    const more = { target, options, item: about, ...defined({ run }) };
    const reply = await engine.begin(caller, { ...facts, ...more });
    return startedByAnother(caller, reply) ? resume(caller, session) : reply;
  }

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
    return startedByAnother(caller, reply) ? resume(caller, next) : reply;
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
    async startItem(caller, id, item) {
      const parent = await findParent(id);
      if (parent === undefined) return refusalReply({ kind: "no_session", session: id });
      const { isBot, workflow } = parent;
      const opened = await parent.engine.openItem(caller, item, {
        parent: { id: parent.id, isBot },
        ...defined({ workflow }),
      });
      const { outcome } = opened;
      if (
        outcome.kind !== "items" ||
        outcome.ref === null ||
        outcome.item === undefined ||
        outcome.session === undefined
      )
        return opened;
      const { ref, item: found, session } = outcome;
      const reply = await beginItem(caller, parent, { ref, item: found, session });
      return { ...reply, warnings: [...opened.warnings, ...reply.warnings] };
    },
    openItems,
    lookAtItem,
    async find(session) {
      const isKnown = engines.has(session) || (await (await log()).has({ kind: "session", name: session }));
      return isKnown ? engineOf(session) : undefined;
    },
    async hasAny() {
      const history = await log();
      return ((await history.latest?.("session", 1)) ?? (await parentIds(history))).length > 0;
    },
    async count(most) {
      const history = await log();
      return (await history.count?.("session", most)) ?? Math.min(most, (await parentIds(history)).length);
    },
    async all(most) {
      const history = await log();
      const newest = most === undefined ? undefined : await history.latest?.("session", most);
      const found = (newest?.map(({ name }) => name) ?? (await parentIds(history))).map(async (name) => {
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

/** The sessions that are no items: items are listed with their parents. */
async function parentIds(log: EventLog): Promise<readonly string[]> {
  return (await sessionIds(log)).filter((name) => !isItemSession(name));
}

/** An item that its parent has opened, with the id of its session. */
type OpenedItem = { readonly ref: StepRef; readonly item: ItemState; readonly session: string };

/** Tells if another caller began the session that a reply is about, so that this one continues it. */
function startedByAnother({ id }: CallerContext, { outcome, stream }: Reply): boolean {
  const opened = outcome.kind === "opened" ? stream.runs.get(outcome.ref.workflow)?.steps.get(outcome.ref.step) : null;
  return opened?.openedBy.includes(id) === false;
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
