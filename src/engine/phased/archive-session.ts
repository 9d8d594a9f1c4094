import type { Desks } from "./desks.ts";
import { inSession } from "./in-session.ts";
import type { Connection } from "./phased-engine.ts";
import type { PhasedReply } from "./phased-reply.ts";

/** Puts a session away for a person: it takes no more evidence, and the next start begins a new one. */
export function archiveSession(
  desks: Desks,
  connection: Connection,
  session: string,
  reason: string | undefined,
): Promise<PhasedReply> {
  return inSession(desks, session, async ({ desk, snapshot, workflow }) => {
    const said = reason === undefined ? {} : { reason };
    return (await desks.carryOut(desk, connection, workflow, snapshot, { kind: "archive", ...said })).reply;
  });
}
