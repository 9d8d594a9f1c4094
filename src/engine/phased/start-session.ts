import { notRecorded } from "../../workflow/refusals.ts";
import { sessionRun } from "../../workflow/session-view.ts";
import { objectProblem } from "../input-limits.ts";
import type { PhasedWorkflow } from "../phased-ports.ts";
import { refused, unreadable } from "./answers.ts";
import type { Desks } from "./desks.ts";
import { inSession } from "./in-session.ts";
import type { Connection, StartRequest } from "./phased-engine.ts";
import type { PhasedReply } from "./phased-reply.ts";
import { type SessionKey, sameTarget, sessionsOf } from "./session-id.ts";

/** Starts a session, or resumes the unfinished one for the same workflow, target and options. */
export async function startSession(desks: Desks, connection: Connection, request: StartRequest): Promise<PhasedReply> {
  const options = request.options ?? {};
  const problem = objectProblem("options", options);
  if (problem !== undefined) return invalid(problem);
  const target = request.target_file === undefined ? null : sameTarget(request.target_file, desks.parts.projectArea);
  if (target !== null && (target === "" || target.includes("\0"))) return invalid("target_file is not a path");
  const { type, others } = namesOf(desks, request.workflow_type);
  const key: SessionKey = { type, target, options };

  const ids = await desks.parts.store.ids();
  const { known, next } = sessionsOf(key, ids);
  // Sessions that were begun under another name of the workflow go on; those under its own come first.
  const older = others.flatMap((name) => sessionsOf({ ...key, type: name }, ids).known);
  const { unfinished, damaged } = await findUnfinished(desks, [...older, ...known]);
  const warned = (reply: PhasedReply): PhasedReply => ({ ...reply, warnings: [...reply.warnings, ...damaged] });
  if (unfinished !== undefined) return warned(await resume(desks, connection, unfinished));
  const reading = (await desks.parts.definitions()).read(key.type, options);
  if ("unknown" in reading) return unknownWorkflow(desks, key.type);
  if ("invalidOptions" in reading) return invalid(reading.invalidOptions, reading.required_action);
  if ("problem" in reading) {
    const { file, message } = reading.problem;
    return refused({
      error: "invalid_definition",
      message: `${key.type} does not start: ${file} cannot be used (${message}).`,
      required_action: reading.required_action ?? `Ask the author to mend ${file}: waymark check shows what is wrong.`,
    });
  }
  return warned(await begin(desks, connection, key, next, reading.workflow));
}

async function begin(
  desks: Desks,
  connection: Connection,
  key: SessionKey,
  next: string,
  workflow: PhasedWorkflow,
): Promise<PhasedReply> {
  const definition = await desks.parts.pins.keep(JSON.stringify(workflow));
  if (definition === undefined) return refused(notRecorded);
  const desk = desks.of(next);
  const facts = {
    workflow: key.type,
    target: key.target,
    options: key.options,
    definition,
    first: workflow.phases[0]?.number ?? 1,
    total: workflow.phases.length,
  };
  const carried = await desk.inTurn(() =>
    desks.carryOut(desk, connection, workflow, undefined, { kind: "begin", facts }),
  );
  const { decision, reply } = carried;
  const isAnothers = decision.events.length === 0 && decision.outcome.kind !== "refused";
  return isAnothers ? resume(desks, connection, next) : reply; // another was quicker
}

function resume(desks: Desks, connection: Connection, session: string): Promise<PhasedReply> {
  return inSession(desks, session, async ({ desk, snapshot, workflow }) => {
    const { reply } = await desks.carryOut(desk, connection, workflow, snapshot, { kind: "read" });
    return { ...reply, resumed: true };
  });
}

/** The name that a workflow is recorded by, whichever of its names was given, and its other names. */
function namesOf(desks: Desks, asked: string): { readonly type: string; readonly others: readonly string[] } {
  const workflows = desks.parts.workflows();
  const found =
    workflows.find(({ type }) => type === asked) ?? workflows.find(({ aliases }) => aliases?.includes(asked));
  return found === undefined ? { type: asked, others: [] } : { type: found.type, others: found.aliases ?? [] };
}

/** The newest session that is not finished, and what is to be said of those whose history is there and tells nothing. */
async function findUnfinished(
  desks: Desks,
  known: readonly string[],
): Promise<{ readonly unfinished?: string; readonly damaged: readonly string[] }> {
  const damaged: string[] = [];
  for (const id of known.toReversed()) {
    const desk = desks.of(id);
    const { desk: found } = await desk.glance();
    if (found.session === null) damaged.push(...(await desk.look()).warnings, unreadable(id));
    if (found.session === null || found.session.archivedAt !== undefined) continue;
    const steps = [...(sessionRun(found)?.steps.values() ?? [])];
    if (steps.some(({ status }) => status === "started")) return { unfinished: id, damaged };
  }
  return { damaged };
}

function unknownWorkflow(desks: Desks, type: string): PhasedReply {
  const types = desks.parts.workflows().map((one) => one.type);
  return refused({
    error: "unknown_workflow",
    message: `There is no workflow ${type.slice(0, 100)}.`,
    required_action:
      types.length === 0
        ? "Put one under .waymark/workflows/ first."
        : `Use one of: ${types.join(", ").slice(0, 600)}.`,
  });
}

function invalid(
  problem: string,
  required_action = "Correct the arguments and call again; nothing has changed.",
): PhasedReply {
  return refused({ error: "invalid_input", message: `Not taken: ${problem}.`, required_action });
}
