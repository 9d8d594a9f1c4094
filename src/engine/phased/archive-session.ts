import { answer, noDefinition, noSession, unreadable } from "./answers.ts";
import type { Desks } from "./desks.ts";
import type { Connection } from "./phased-engine.ts";
import type { PhasedReply } from "./phased-reply.ts";

/** Puts a session away for a person: it takes no more evidence, and the next start begins a new one. */
export async function archiveSession(
  desks: Desks,
  connection: Connection,
  session: string,
  reason: string | undefined,
): Promise<PhasedReply> {
  if (!(await desks.parts.store.has(session))) return noSession(session);
  const desk = desks.of(session);
  return desk.inTurn(async () => {
    const snapshot = await desk.history.look();
    if (snapshot.desk.session === null) return noSession(session, [...snapshot.warnings, unreadable(session)]);
    const pinned = await desks.pinned(snapshot);
    if (pinned === undefined) return noDefinition(session, snapshot.desk);
    const said = reason === undefined ? {} : { reason };
    const carried = await desks.carryOut(desk, connection, pinned.workflow, snapshot, { kind: "archive", ...said });
    return answer(session, pinned.workflow, carried, []);
  });
}
