import { setImmediate } from "node:timers/promises";
import type { Command } from "../../workflow/command.ts";
import { decide } from "../../workflow/decide.ts";
import type { Desk, SessionState } from "../../workflow/desk.ts";
import type { Decision } from "../../workflow/outcome.ts";
import { unrecorded } from "../../workflow/refusals.ts";
import { replay } from "../../workflow/replay.ts";
import type { Plan } from "../../workflow/workflow.ts";
import type { PhasedWorkflow, SessionHistory, SessionSnapshot } from "../phased-ports.ts";
import { answer } from "./answers.ts";
import type { Connection, PhasedParts } from "./phased-engine.ts";
import type { PhasedReply } from "./phased-reply.ts";
import { sessionPlan } from "./session-plan.ts";

/** A session's desk: its history, and the queue of the calls about it. */
export type SessionDesk = {
  readonly id: string;
  readonly history: SessionHistory;
  /** Looks for a reply about the session: with everything that is to be said of it, which then counts as said. */
  look(): Promise<SessionSnapshot>;
  /** Looks for somebody who says nothing of it: what is to be said is kept for the next who does. */
  glance(): Promise<SessionSnapshot>;
  /** Keeps what was not said. */
  keep(warnings: readonly string[]): void;
  /** What was found out and not said yet. */
  unsaid(): readonly string[];
  /** From now on that counts as said. */
  said(): void;
  inTurn<T>(work: () => Promise<T>): Promise<T>;
};

/** A command carried out: decided, recorded, the desk after it, and what is to be answered. */
export type Carried = {
  readonly decision: Decision;
  readonly desk: Desk;
  readonly plan: Plan;
  readonly reply: PhasedReply;
};

export type Desks = {
  readonly parts: PhasedParts;
  /** Whether there may be such a session; only one that nobody has asked for yet is looked for. */
  has(session: string): Promise<boolean>;
  of(session: string): SessionDesk;
  /** Every desk that was opened. */
  all(): readonly SessionDesk[];
  /** The definition that a session keeps; undefined where no copy of it is left. */
  pinned(session: SessionState): Promise<PhasedWorkflow | undefined>;
  /** What is to be said where the files are no longer what the session began with. */
  drift(session: SessionState, workflow: PhasedWorkflow): Promise<readonly string[]>;
  /** Decides, records and answers; `seen` is what the caller has looked at already. */
  carryOut(
    desk: SessionDesk,
    connection: Connection,
    workflow: PhasedWorkflow,
    seen: SessionSnapshot | undefined,
    command: Command,
  ): Promise<Carried>;
};

const nothingToRecord = { status: "recorded", warnings: [] } as const;

/** A late writer decides anew this often before it gives up; each round somebody else made progress. */
const maxRounds = 1000;

/** Opens the desks of a project area's sessions, each at its first use. */
export function openDesks(parts: PhasedParts): Desks {
  const desks = new Map<string, SessionDesk>();
  const pins = new Map<string, PhasedWorkflow>();
  /** What was last found out about each copy. */
  const drifts = new Map<string, readonly string[]>();

  async function kept(pin: string): Promise<PhasedWorkflow | undefined> {
    const known = pins.get(pin);
    if (known !== undefined) return known;
    const text = await parts.pins.find(pin);
    if (text === undefined) return undefined;
    const workflow: PhasedWorkflow = JSON.parse(text); // the very text that was kept: its hash has been checked
    pins.set(pin, workflow);
    return workflow;
  }

  async function live(type: string, { options }: SessionState): Promise<PhasedWorkflow | undefined> {
    const reading = (await parts.definitions()).read(type, options);
    return "workflow" in reading ? reading.workflow : undefined;
  }

  /** Says that the files have changed. They are looked at, if at all, while the record is being made to last. */
  async function drift(session: SessionState, workflow: PhasedWorkflow): Promise<readonly string[]> {
    // A task list named by the options lies outside the definitions, where nobody listens.
    const canBeKnown = Object.keys(session.options).length === 0;
    const known = canBeKnown ? drifts.get(session.definition) : undefined;
    if (known === undefined) await setImmediate();
    else if (await (await parts.definitions()).isQuiet()) return known;
    const said = `The definition of ${session.workflow} has changed since this session began; the session goes on with the one it began with.`;
    // By the name that the copy bears: the same files under another name are another's.
    const found = (await live(workflow.type, session))?.hash === workflow.hash ? [] : [said];
    drifts.set(session.definition, found);
    return found;
  }

  return {
    parts,
    has: async (id) => desks.has(id) || parts.store.has(id),
    of(id) {
      const known = desks.get(id) ?? sessionDesk(id, parts.store.open(id));
      desks.set(id, known);
      return known;
    },
    all: () => [...desks.values()],
    drift,
    async pinned(session) {
      const workflow = await kept(session.definition);
      if (workflow !== undefined) return workflow;
      const current = await live(session.workflow, session);
      const isSame = current !== undefined && (await parts.pins.keep(JSON.stringify(current))) === session.definition;
      return isSame ? current : undefined;
    },
    async carryOut(desk, connection, workflow, seen, command) {
      const plan = sessionPlan(desk.id, workflow);
      const caller = { id: connection.id, opened: null, openedAside: null };
      const answered = (decision: Decision, after: Desk): Carried => {
        return { decision, desk: after, plan, reply: answer(desk.id, workflow, plan, decision, after) };
      };
      const heard: string[] = [];
      for (let round = 0; round < maxRounds; round++) {
        const snapshot = round === 0 && seen !== undefined ? seen : await desk.look();
        heard.push(...snapshot.warnings);
        const now = parts.clock().toISOString();
        const decision = decide(command, { plan, desk: snapshot.desk, caller, now });
        const { events } = decision;
        const { session } = snapshot.desk;
        const [appended, drifted, carried] = await Promise.all([
          events.length === 0 ? nothingToRecord : desk.history.append(snapshot.seen, events),
          session === null ? [] : drift(session, workflow),
          // The answer is made while the record is made to last, and given only where it does.
          setImmediate().then(() => answered(decision, replay(events, snapshot.desk))),
        ]);
        heard.push(...appended.warnings);
        if (appended.status === "behind") continue;
        const told = appended.status === "failed" ? answered(unrecorded(decision), snapshot.desk) : carried;
        const warnings = [...heard, ...drifted, ...told.reply.warnings];
        return { ...told, reply: { ...told.reply, warnings } };
      }
      throw new Error(`Gave up after ${maxRounds} rounds: other processes keep writing to session ${desk.id}.`);
    },
  };
}

function sessionDesk(id: string, history: SessionHistory): SessionDesk {
  let last: Promise<unknown> = Promise.resolve();
  /** Each thing once, however often it is found. */
  const unsaid = new Set<string>();
  const keep = (warnings: readonly string[]): void => {
    for (const warning of warnings) unsaid.add(warning);
  };
  const glance = async (): Promise<SessionSnapshot> => {
    const snapshot = await history.look();
    keep(snapshot.warnings);
    return snapshot;
  };
  return {
    id,
    history,
    glance,
    keep,
    unsaid: () => [...unsaid],
    said: () => unsaid.clear(),
    async look() {
      const snapshot = await glance();
      const warnings = [...unsaid];
      unsaid.clear();
      return { ...snapshot, warnings };
    },
    inTurn(work) {
      const result = last.then(work, work);
      last = result.catch(() => undefined);
      return result;
    },
  };
}
