import type { PhasedWorkflow, SessionSnapshot } from "../phased-ports.ts";
import { noDefinition, noSession, unreadable } from "./answers.ts";
import type { Desks, SessionDesk } from "./desks.ts";
import type { PhasedReply } from "./phased-reply.ts";

/** A session that can be worked in: its desk, what was seen of it, and the definition it keeps. */
export type EnteredSession = {
  readonly desk: SessionDesk;
  readonly snapshot: SessionSnapshot;
  readonly workflow: PhasedWorkflow;
};

/** Works in a session, in turn with the other calls about it; or says why there is nothing to work in. */
export async function inSession(
  desks: Desks,
  session: string,
  work: (entered: EnteredSession) => Promise<PhasedReply>,
): Promise<PhasedReply> {
  if (!(await desks.has(session))) return noSession(session);
  const desk = desks.of(session);
  return desk.inTurn(async () => {
    const snapshot = await desk.look();
    const { session: facts } = snapshot.desk;
    if (facts === null) {
      const isThere = await desks.parts.store.has(session);
      return noSession(session, [...snapshot.warnings, ...(isThere ? [unreadable(session)] : [])]);
    }
    const workflow = await desks.pinned(facts);
    if (workflow !== undefined) return work({ desk, snapshot, workflow });
    return { ...noDefinition(session, snapshot.desk), warnings: snapshot.warnings };
  });
}
