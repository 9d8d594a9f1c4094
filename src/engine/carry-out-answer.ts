import { defined } from "../kit/defined.ts";
import type { AnswerProof } from "../workflow/events.ts";
import { mergeWarnings } from "../workflow/notice.ts";
import type { Refusal } from "../workflow/refusal.ts";
import type { AnswerRequest } from "./answer-request.ts";
import { buildReply, refuseCall } from "./build-reply.ts";
import type { CallerContext } from "./caller.ts";
import { completeStep } from "./complete.ts";
import type { EngineDeps } from "./engine-deps.ts";
import { proveStatement } from "./prove-approvals.ts";
import type { Reply } from "./reply.ts";
import { type InTurn, retryUntilChecked } from "./step-checks.ts";
import { load, transact } from "./transact.ts";

/** Runs an answer: one call of a stream at a time, after saving what a crash left. */
export type TurnControl = {
  readonly inTurn: InTurn;
  readonly saveFirst: (work: () => Promise<Reply>) => Promise<Reply>;
};

/** Records a person's answer, after proving its signature; an approval completes the step if nothing else is missing. Everything is checked again, so an approval never covers what changed in the meantime. */
export async function carryOutAnswer(
  deps: EngineDeps,
  { inTurn, saveFirst }: TurnControl,
  caller: CallerContext,
  request: AnswerRequest,
): Promise<Reply> {
  const recorded = await saveFirst(() => recordAnswer(deps, caller, request));
  if (recorded.outcome.kind !== "approved") return recorded;
  const { ref, digest } = request;
  const completed = await retryUntilChecked(deps, caller, () =>
    saveFirst(async () => {
      const { stream } = await deps.log.load(deps.id);
      const { fingerprint } = stream.runs.get(ref.workflow)?.steps.get(ref.step)?.waiting ?? {};
      const given = { approvedSubmission: { ref, digest }, ...defined({ fingerprint }) };
      return completeStep(deps, inTurn, caller, {}, given);
    }),
  );
  return { ...completed, warnings: mergeWarnings(recorded.warnings, completed.warnings) };
}

async function recordAnswer(deps: EngineDeps, caller: CallerContext, request: AnswerRequest): Promise<Reply> {
  const { ref, digest, decision, comment, signed } = request;
  const loaded = await load(deps, caller);
  const no = (refusal: Refusal): Promise<Reply> => refuseCall(deps, caller, loaded, refusal, ref.workflow);
  const proved = await proveStatement(deps, request, loaded.situation.now);
  if ("problem" in proved) return no({ kind: "unproved", step: ref.step, problem: proved.problem });
  const answered: AnswerProof = { ...proved, ...defined({ signed }) };
  if (decision === "reject") {
    const declining = { kind: "decline", ref, digest, ...defined({ reason: comment }), ...answered } as const;
    return buildReply(deps, await transact(deps, caller, declining, { loaded }));
  }
  const { submitted = {} } = loaded.situation.stream.runs.get(ref.workflow)?.steps.get(ref.step) ?? {};
  const files = await deps.content.read(deps.id, ref, submitted.content ?? []);
  const changed = files.flatMap((file) => ("problem" in file ? [`${file.path}: ${file.problem}`] : []));
  if (changed.length > 0)
    return no({
      kind: "invalid_input",
      message: changed.join("; "),
      fix: "Have the assistant submit it again: an approval covers only what was shown.",
    });
  const approving = {
    kind: "approve",
    ref,
    digest,
    ...answered,
    level: proved.level,
    ...defined({ comment }),
  } as const;
  return buildReply(deps, await transact(deps, caller, approving, { loaded }));
}
