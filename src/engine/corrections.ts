import type { JsonObject } from "../evidence/json.ts";
import type { CompleteCommand, OpenCommand } from "../workflow/command.ts";
import { decide } from "../workflow/decide.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { Calling } from "./caller.ts";
import { describe, refuseAtPlace } from "./describe.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest } from "./request.ts";
import { type Surveyed, transact } from "./transact.ts";

/** Completes a step outside the sequence; one that keeps corrections keeps what was handed in. Content would have no effect there. */
export async function completeAside(
  parts: DeskParts,
  caller: Calling,
  { outputs, content = [] }: CompleteRequest,
  command: CompleteCommand,
  surveyed: Surveyed,
  { workflow, step }: Outcome & { kind: "aside_completed" },
): Promise<Reply> {
  const { rules } = parts.definitions;
  if (content.length > 0)
    return refuseAtPlace(parts, caller, {
      kind: "invalid_input",
      message: `content has no effect with ${step}, which stands outside the sequence`,
      fix: "Hand the files in with the step that they belong to, or leave content out.",
    });
  const isCorrection = rules?.keepsCorrections(step) === true && rules.readCorrection(outputs) !== undefined;
  const done = isCorrection ? await applyCorrection(parts, workflow, outputs) : undefined;
  if (done !== undefined && "refused" in done) return refusedCorrection(parts, caller, done.refused, "outputs");
  const reply = await describe(parts, await transact(parts, caller, command, { surveyed }));
  return done === undefined ? reply : { ...reply, done: done.kept };
}

/** Opens, carries out and completes a correction in one call; undefined where the call is none. */
export async function keepCorrection(
  parts: DeskParts,
  caller: Calling,
  command: OpenCommand,
  surveyed: Surveyed,
): Promise<Reply | undefined> {
  const { rules } = parts.definitions;
  const { step, inputs } = command;
  if (step === undefined || rules?.keepsCorrections(step) !== true) return undefined;
  if (rules.readCorrection(inputs) === undefined) return undefined;
  const { outcome } = decide(command, surveyed.situation);
  if (outcome.kind !== "aside_opened") return undefined;
  const { workflow } = outcome;
  const done = await applyCorrection(parts, workflow, inputs);
  if ("refused" in done) return refusedCorrection(parts, caller, done.refused, "inputs");
  await transact(parts, caller, command, { surveyed });
  const fingerprint = JSON.stringify(inputs ?? {});
  const completed = await transact(parts, caller, { kind: "complete", workflow, step, handed: {}, fingerprint });
  return { ...(await describe(parts, completed)), done: done.kept };
}

function refusedCorrection(parts: DeskParts, caller: Calling, message: string, where: string): Promise<Reply> {
  const fix = `Send ${where} {rule, dont, do, pattern?}.`;
  return refuseAtPlace(parts, caller, { kind: "invalid_input", message, fix });
}

/** Keeps what was handed in as a correction, or says why not. */
async function applyCorrection(
  { definitions: { rules } }: DeskParts,
  workflow: string,
  handed: JsonObject | undefined,
): Promise<{ readonly kept: string } | { readonly refused: string }> {
  const correction = rules?.readCorrection(handed);
  if (rules === undefined || correction === undefined) return { refused: "no correction was handed in" };
  return "invalid" in correction ? { refused: correction.invalid } : rules.keepCorrection(workflow, correction);
}
