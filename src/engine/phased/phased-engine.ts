import type { JsonObject } from "../../workflow/json.ts";
import type { SessionView } from "../../workflow/session-view.ts";
import { sessionView } from "../../workflow/session-view.ts";
import type { ObserveEvidence, PhasedDefinitions, Pins, SessionStore, WorkflowListed } from "../phased-ports.ts";
import type { Clock, ContentKeeper } from "../ports.ts";
import type { Ask } from "../reply.ts";
import { archiveSession } from "./archive-session.ts";
import { completePhase } from "./complete-phase.ts";
import { openDesks } from "./desks.ts";
import type { PhasedReply } from "./phased-reply.ts";
import { readPhase } from "./read-phase.ts";
import { startSession } from "./start-session.ts";
import { viewSession } from "./view-session.ts";

/** Everything the engine of phased sessions needs from outside. */
export type PhasedParts = {
  readonly definitions: () => Promise<PhasedDefinitions>;
  /** The workflows there are to start, found without reading them. */
  readonly workflows: () => readonly WorkflowListed[];
  /** Where targets are files of. */
  readonly projectArea: string;
  readonly store: SessionStore;
  readonly pins: Pins;
  readonly content: ContentKeeper;
  readonly observe: ObserveEvidence;
  readonly clock: Clock;
};

/** One connection: its name in the history, and the attempts that a person was asked about in vain. */
export type Connection = { readonly id: string; readonly unanswered: Set<string> };

export type StartRequest = {
  readonly workflow_type: string;
  readonly target_file?: string;
  readonly options?: JsonObject;
};

export type ReadRequest = { readonly session_id: string; readonly requested_phase?: number; readonly task?: number };

export type PassRequest = {
  readonly session_id: string;
  readonly phase: number;
  readonly evidence?: JsonObject;
  readonly outputs?: JsonObject;
  readonly confirmation?: string;
};

/** The sessions of a project area at work: every door goes through these. */
export type PhasedEngine = {
  start(connection: Connection, request: StartRequest): Promise<PhasedReply>;
  read(connection: Connection, request: ReadRequest): Promise<PhasedReply>;
  complete(connection: Connection, request: PassRequest, ask?: Ask): Promise<PhasedReply>;
  /** A person puts a session away. */
  archive(connection: Connection, session: string, reason?: string): Promise<PhasedReply>;
  /** How one session stands, with all that is to be said of it; null where there is none. */
  view(session: string): Promise<{ readonly view: SessionView; readonly warnings: readonly string[] } | null>;
  /** The same for somebody who says nothing of it: that is kept for the next reply about the session. */
  glance(session: string): Promise<SessionView | null>;
  /** Every session at a glance, the one that changed last first. */
  views(): Promise<readonly SessionView[]>;
  /** What was found out about sessions and not said yet; it is left to be said in the next reply about each. */
  overheard(): readonly string[];
  /** The same, taken: it counts as said. */
  unsaid(): readonly string[];
  ids(): Promise<readonly string[]>;
  events(session: string): ReturnType<ReturnType<SessionStore["open"]>["events"]>;
  /** How many records all sessions have together. */
  seen(): Promise<number>;
  /** The workflows there are to start. */
  workflows(): readonly WorkflowListed[];
};

/** Builds the engine of a project area's sessions. Calls about one session are carried out one at a time. */
export function createPhasedEngine(parts: PhasedParts): PhasedEngine {
  const desks = openDesks(parts);
  const glance: PhasedEngine["glance"] = async (session) => {
    if (!(await parts.store.has(session))) return null;
    return sessionView(session, (await desks.of(session).glance()).desk);
  };
  const overheard = (): readonly string[] => desks.all().flatMap((desk) => desk.unsaid());
  return {
    start: (connection, request) => startSession(desks, connection, request),
    read: (connection, request) => readPhase(desks, connection, request),
    complete: (connection, request, ask) => completePhase(desks, connection, request, ask),
    archive: (connection, session, reason) => archiveSession(desks, connection, session, reason),
    view: (session) => viewSession(desks, session),
    glance,
    async views() {
      const all = await Promise.all((await parts.store.ids()).map(glance));
      const found = all.flatMap((one) => one ?? []);
      return found.sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
    },
    overheard,
    unsaid() {
      const found = overheard();
      for (const desk of desks.all()) desk.said();
      return found;
    },
    ids: () => parts.store.ids(),
    events: (session) => desks.of(session).history.events(),
    async seen() {
      const looks = (await parts.store.ids()).map((id) => desks.of(id).glance());
      return (await Promise.all(looks)).reduce((sum, { seen }) => sum + seen, 0);
    },
    workflows: parts.workflows,
  };
}
