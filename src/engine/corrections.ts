import type { Correction } from "../gates/correction.ts";
import { isSame } from "../kit/json.ts";
import type { CompleteCommand, OpenCommand } from "../workflow/command.ts";
import { decide } from "../workflow/decide.ts";
import { independentRef } from "../workflow/named-attempts.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { ApprovalGiven } from "./ask-for-approval.ts";
import { buildReply, refuseCall } from "./build-reply.ts";
import type { CallerContext } from "./caller.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest } from "./request.ts";
import { type Loaded, load, transact } from "./transact.ts";

/** Completes an independent step, with its correction if it has one. Content is refused: it would have no effect. */
export async function completeIndependentStep(
  deps: EngineDeps,
  caller: CallerContext,
  { outputs, content = [] }: CompleteRequest,
  command: CompleteCommand,
  loaded: Loaded,
  { workflow, step }: Outcome & { kind: "aside_completed" },
): Promise<Reply> {
  const { rules } = deps.definitions;
  if (content.length > 0)
    return refuseCall(deps, caller, loaded, {
      kind: "invalid_input",
      message: `content has no effect with ${step}, which is an independent action`,
      fix: "Submit the files with the step they belong to, or leave content out.",
    });
  const { inputs } = loaded.situation.stream.independentSteps.get(step) ?? {};
  const keeps = rules?.keepsCorrections(step) === true;
  const read = keeps ? (rules.readCorrection(outputs) ?? rules.readCorrection(inputs)) : undefined;
  if (read === undefined) return buildReply(deps, await transact(deps, caller, command, { loaded }));
  return applyCorrection(deps, caller, read, { ...command, workflow, step }, loaded);
}

/** Opens, applies and completes a correction in one call; undefined if the call is not one. */
export async function openCorrection(
  deps: EngineDeps,
  caller: CallerContext,
  command: OpenCommand,
  loaded: Loaded,
  given: ApprovalGiven,
): Promise<Reply | undefined> {
  const { rules } = deps.definitions;
  const { step, inputs } = command;
  const read = step !== undefined && rules?.keepsCorrections(step) === true ? rules.readCorrection(inputs) : undefined;
  if (read === undefined) return undefined;
  const { outcome } = decide(command, loaded.situation);
  if (outcome.kind !== "aside_opened") return undefined;
  const { kind: _, ...meant } = outcome;
  const fingerprint = JSON.stringify(inputs);
  // it opens the step itself, so it cannot be late for another attempt
  const own = { meant: independentRef(meant.step, 0) };
  const completing = { kind: "complete", ...meant, ...own, submitted: {}, fingerprint, ...given } as const;
  return applyCorrection(deps, caller, read, completing, loaded, command);
}

/** Adds a correction to its rule once a person has approved all of it. */
async function applyCorrection(
  deps: EngineDeps,
  caller: CallerContext,
  read: Correction | { readonly invalid: string },
  command: CompleteCommand & { readonly workflow: string; readonly step: string },
  loaded: Loaded,
  opening?: OpenCommand,
): Promise<Reply> {
  const fix = `Send ${opening === undefined ? "outputs" : "inputs"} {rule, dont, do, pattern?}.`;
  const no = (message: string, seen = loaded): Promise<Reply> =>
    refuseCall(deps, caller, seen, { kind: "invalid_input", message, fix });
  if ("invalid" in read) return no(read.invalid);
  const located = (await deps.definitions.rules?.locateCorrection(command.workflow, read)) ?? { refused: "no rules" };
  if ("refused" in located) return no(located.refused);
  const state = loaded.situation.stream.independentSteps.get(command.step);
  const isDone = state?.completion?.fingerprint === command.fingerprint;
  const isOpen = isDone || opening === undefined || isSame(opening.inputs ?? {}, state?.inputs);
  if (!isOpen) await transact(deps, caller, opening, { loaded });
  const now = isOpen ? loaded : await load(deps, caller);
  const corrected = { ...command, correction: { ...read, place: located.place } };
  const isNew = decide(corrected, now.situation).events.some(({ type }) => type === "aside_completed");
  const done = isNew ? await located.keep() : undefined;
  if (done !== undefined && "refused" in done) return no(done.refused, now);
  // a correction that changes nothing must not be recorded as one
  const counted = done?.isNew === false ? command : corrected;
  const reply = await buildReply(deps, await transact(deps, caller, counted, { loaded: now }));
  return done === undefined ? reply : { ...reply, done: done.kept };
}
