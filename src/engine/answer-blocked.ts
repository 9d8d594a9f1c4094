import type { Decision, SignedStatement } from "../gates/approval-statement.ts";
import { responseDigest } from "../gates/waiver.ts";
import { defined } from "../kit/defined.ts";
import type { AnswerBlockedCommand, EndCommand, WaiveCommand } from "../workflow/command.ts";
import { responseTextProblem } from "../workflow/decide-blocked.ts";
import type { AnswerProof, StepRef } from "../workflow/events.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { buildReply, refuseCall } from "./build-reply.ts";
import type { CallerContext } from "./caller.ts";
import type { EngineDeps } from "./engine-deps.ts";
import { proveStatement } from "./prove-approvals.ts";
import type { Reply } from "./reply.ts";
import { load, transact } from "./transact.ts";

/** A person's response to an open step: an answer to a blocked one, with `fields` a waiver, with `ends` an end, each with its text. */
export type BlockedResponse = {
  readonly ref: StepRef;
  readonly text: string;
  readonly fields?: readonly string[];
  /** The chosen continuation: at a bound `again` or `continue`; for a waiver a step, an outcome or "next". */
  readonly follows?: string;
  /** The outcome with which the run ends. */
  readonly ends?: string;
  readonly signed?: SignedStatement<Decision>;
};

/** The most names that one waiver can list. */
const maxFields = 100;

/** Records a person's answer or waiver, after proving its signature if it has one. */
export async function answerBlocked(deps: EngineDeps, caller: CallerContext, given: BlockedResponse): Promise<Reply> {
  const { ref, text, fields, follows, ends, signed } = given;
  const problem =
    responseTextProblem(fields === undefined ? "the answer" : "the reason", text) ??
    (fields?.length === 0 || (fields?.length ?? 0) > maxFields ? `name 1 to ${maxFields} requirements` : undefined);
  const loaded = await load(deps, caller);
  const no = (refusal: Refusal): Promise<Reply> => refuseCall(deps, caller, loaded, refusal, ref.workflow);
  if (problem !== undefined) return no({ kind: "invalid_input", message: problem, fix: "Correct it and try again." });
  const decision = fields === undefined ? "answer" : "waive";
  const digest = responseDigest(fields, ends ?? follows);
  const asked = { ref, digest, decision, comment: text, ...defined({ signed }) } as const;
  const proved = await proveStatement(deps, asked, loaded.situation.now);
  if ("problem" in proved) return no({ kind: "unproved", step: ref.step, problem: proved.problem });
  const proof = { ...proved, ...defined({ signed }) };
  const command = commandOf(ref, text, { fields, follows, ends }, proof);
  if (command === undefined)
    return no({ kind: "invalid_input", message: `${follows} is neither again nor continue`, fix: "Use one of them." });
  return buildReply(deps, await transact(deps, caller, command, { loaded }));
}

function commandOf(
  ref: StepRef,
  text: string,
  { fields, follows, ends }: { readonly [Part in "fields" | "follows" | "ends"]: BlockedResponse[Part] | undefined },
  proof: AnswerProof<Decision>,
): AnswerBlockedCommand | WaiveCommand | EndCommand | undefined {
  if (ends !== undefined) return { kind: "end", ref, outcome: ends, reason: text, ...proof };
  if (fields !== undefined)
    return { kind: "waive", ref, fields: [...new Set(fields)], reason: text, ...defined({ follows }), ...proof };
  if (follows === undefined) return { kind: "answer", ref, text, ...proof };
  if (follows !== "again" && follows !== "continue") return undefined;
  return { kind: "answer", ref, text, follows, ...proof };
}
