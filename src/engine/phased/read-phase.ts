import type { Phase } from "../phased-ports.ts";
import { refused } from "./answers.ts";
import type { Desks } from "./desks.ts";
import { inSession } from "./in-session.ts";
import type { Connection, ReadRequest } from "./phased-engine.ts";
import type { PhasedReply } from "./phased-reply.ts";
import { reveal, shown } from "./reveal.ts";

/** Reads the current phase of a session, or one that is completed, or a task within it. */
export function readPhase(desks: Desks, connection: Connection, request: ReadRequest): Promise<PhasedReply> {
  const { session_id: session, requested_phase: asked, task } = request;
  return inSession(desks, session, async ({ desk, snapshot, workflow }) => {
    const step = asked === undefined ? {} : { step: String(asked) };
    const carried = await desks.carryOut(desk, connection, workflow, snapshot, { kind: "read", ...step });
    const { reply } = carried;
    const { outcome } = reply;
    if (task === undefined || (outcome.kind !== "opened" && outcome.kind !== "review")) return reply;
    const phase = reveal(workflow, carried.plan, carried.desk, outcome.ref.step);
    return phase === undefined ? reply : withTask(reply, phase, task, () => refusedTask(session, phase, task));
  });
}

function withTask(reply: PhasedReply, phase: Phase, task: number, otherwise: () => PhasedReply): PhasedReply {
  const found = phase.tasks.find(({ number }) => number === task);
  return found === undefined ? { ...otherwise(), session: reply.session } : { ...reply, phase: shown(phase, found) };
}

function refusedTask(session: string, { number, tasks }: Phase, task: number): PhasedReply {
  const known = tasks.map((one) => one.number).join(", ");
  return refused({
    error: "invalid_input",
    message: `Not taken: Phase ${number} of ${session} has no task ${task}.`,
    required_action:
      known === "" ? "Read the phase without task." : `Use one of the tasks ${known}, or leave task out.`,
  });
}
