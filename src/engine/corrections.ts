import type { Correction } from "../evidence/correction.ts";
import { isSame } from "../evidence/json.ts";
import type { CompleteCommand, OpenCommand } from "../workflow/command.ts";
import { decide } from "../workflow/decide.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { Given } from "./ask-for-word.ts";
import type { Calling } from "./caller.ts";
import { describe, refuseAtPlace } from "./describe.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest } from "./request.ts";
import { type Surveyed, survey, transact } from "./transact.ts";

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
  const { inputs } = surveyed.situation.desk.asides.get(step) ?? {};
  const keeps = rules?.keepsCorrections(step) === true;
  const read = keeps ? (rules.readCorrection(outputs) ?? rules.readCorrection(inputs)) : undefined;
  if (read === undefined) return describe(parts, await transact(parts, caller, command, { surveyed }));
  return correct(parts, caller, read, { ...command, workflow, step }, surveyed);
}

/** Opens, carries out and completes a correction in one call; undefined where the call is none. */
export async function openCorrection(
  parts: DeskParts,
  caller: Calling,
  command: OpenCommand,
  surveyed: Surveyed,
  given: Given,
): Promise<Reply | undefined> {
  const { rules } = parts.definitions;
  const { step, inputs } = command;
  const read = step !== undefined && rules?.keepsCorrections(step) === true ? rules.readCorrection(inputs) : undefined;
  if (read === undefined) return undefined;
  const { outcome } = decide(command, surveyed.situation);
  if (outcome.kind !== "aside_opened") return undefined;
  const { kind: _, ...meant } = outcome;
  const fingerprint = JSON.stringify(inputs);
  const completing = { kind: "complete", ...meant, handed: {}, fingerprint, ...given } as const;
  return correct(parts, caller, read, completing, surveyed, command);
}

/** Makes a correction part of its rule, once a person has agreed to all of it. */
async function correct(
  parts: DeskParts,
  caller: Calling,
  read: Correction | { readonly invalid: string },
  command: CompleteCommand & { readonly workflow: string; readonly step: string },
  surveyed: Surveyed,
  opening?: OpenCommand,
): Promise<Reply> {
  const fix = `Send ${opening === undefined ? "outputs" : "inputs"} {rule, dont, do, pattern?}.`;
  const no = (message: string): Promise<Reply> => refuseAtPlace(parts, caller, { kind: "invalid_input", message, fix });
  if ("invalid" in read) return no(read.invalid);
  const placed = (await parts.definitions.rules?.placeCorrection(command.workflow, read)) ?? { refused: "no rules" };
  if ("refused" in placed) return no(placed.refused);
  const state = surveyed.situation.desk.asides.get(command.step);
  const isDone = state?.fingerprint === command.fingerprint;
  const isOpen = isDone || opening === undefined || isSame(opening.inputs ?? {}, state?.inputs);
  if (!isOpen) await transact(parts, caller, opening, { surveyed });
  const now = isOpen ? surveyed : await survey(parts, caller);
  const asked = { ...command, correction: { ...read, place: placed.place } };
  const isNew = decide(asked, now.situation).events.some(({ type }) => type === "aside_completed");
  const done = isNew ? await placed.keep() : undefined;
  if (done !== undefined && "refused" in done) return no(done.refused);
  // What changes nothing is no correction, and must not pass for one.
  const counted = done?.isNew === false ? command : asked;
  const reply = await describe(parts, await transact(parts, caller, counted, { surveyed: now }));
  return done === undefined ? reply : { ...reply, done: done.kept };
}
