import type { OpenCommand } from "../workflow/command.ts";
import type { JsonObject } from "../workflow/json.ts";
import { describe, invalidInput, refusedBy } from "./describe.ts";
import type { EngineParts } from "./engine.ts";
import { objectProblem } from "./input-limits.ts";
import type { Reply } from "./reply.ts";
import type { Session } from "./session.ts";
import { preview, transact } from "./transact.ts";

/** Opens a step: recorded first, then shown. An independent step that can be carried out at once is. */
export async function openStep(parts: EngineParts, session: Session, command: OpenCommand): Promise<Reply> {
  const problem = objectProblem("inputs", command.inputs);
  if (problem !== undefined) return invalidInput(parts, session, problem, "Send a smaller object.");
  const closed = parts.definitions.plan().closed;
  if (closed !== undefined) return refusedBy(parts, session, closed);
  if (command.step !== undefined && parts.definitions.keepsCorrections(command.step)) {
    const correction = parts.definitions.readCorrection(command.inputs);
    if (correction !== undefined) return keepCorrection(parts, session, command, command.step);
  }
  const transacted = await transact(parts, session, command);
  const { outcome } = transacted.decision;
  if (outcome.kind === "opened") {
    session.opened = outcome.ref;
    session.openedAside = null;
  }
  if (outcome.kind === "aside_opened") session.openedAside = outcome.step;
  return describe(parts, transacted);
}

/** Opens, carries out and completes a correction in one call. */
async function keepCorrection(
  parts: EngineParts,
  session: Session,
  command: OpenCommand,
  step: string,
): Promise<Reply> {
  const { decision } = await preview(parts, session, command);
  if (decision.outcome.kind !== "aside_opened") return describe(parts, await transact(parts, session, command));
  const { workflow } = decision.outcome;
  const done = applyCorrection(parts, workflow, command.inputs);
  if ("refused" in done) return invalidInput(parts, session, done.refused, `Send inputs {rule, dont, do, pattern?}.`);
  await transact(parts, session, command);
  const fingerprint = JSON.stringify(command.inputs ?? {});
  const completed = await transact(parts, session, { kind: "complete", workflow, step, handed: {}, fingerprint });
  return { ...(await describe(parts, completed)), done: done.kept };
}

/** Keeps what was handed in as a correction, or says why not. */
export function applyCorrection(
  { definitions }: EngineParts,
  workflow: string,
  handed: JsonObject | undefined,
): { readonly kept: string } | { readonly refused: string } {
  const correction = definitions.readCorrection(handed);
  if (correction === undefined) return { refused: "no correction was handed in" };
  if ("invalid" in correction) return { refused: correction.invalid };
  return definitions.keepCorrection(workflow, correction);
}
