import type { AnswerRequest } from "../../engine/answer-request.ts";
import type { Reply } from "../../engine/reply.ts";
import type { Statement } from "../../gates/approval-statement.ts";
import { defined } from "../../kit/defined.ts";
import { pendingText } from "../../messages/approval-texts.ts";
import { warningTexts } from "../../messages/notices.ts";
import { oneLine, paint } from "../terminal/print.ts";
import { refusalText } from "../terminal/refusal-text.ts";
import { UserError } from "../terminal/user-error.ts";
import { runName, type WaitingSubmission } from "./show-submission.ts";

/** The result of an answer, for scripts. */
export type AnswerResult = {
  readonly run: string;
  readonly run_name?: string;
  readonly step: string;
  readonly attempt: number;
  readonly digest: string;
  readonly decision: Statement["decision"];
  readonly level: "elicited" | "proven";
  readonly name?: string;
  readonly key?: string;
  readonly comment?: string;
  /** True if the step is completed. */
  readonly completed: boolean;
  /** The reason why the recorded answer does not complete the step yet. */
  readonly missing?: string;
};

/** Describes the decision in words. */
export function decisionText(decision: Statement["decision"], waiting: WaitingSubmission): string {
  return `${decision} ${oneLine(waiting.title)} of ${runName(waiting)}`;
}

/** Builds the result of an answer, or throws if it was not recorded. */
export function answerResult(
  { name, run }: WaitingSubmission,
  reply: Reply,
  { ref, digest, decision, comment, signed }: AnswerRequest,
  by: { readonly name: string; readonly key: string } | undefined,
): AnswerResult {
  const { outcome } = reply;
  const { approvals = [] } = reply.stream.runs.get(ref.workflow)?.steps.get(ref.step) ?? {};
  const nonce = signed?.statement.nonce;
  const isGiven = approvals.some((one) => one.digest === digest && one.signed?.statement.nonce === nonce);
  const isRejected = outcome.kind === "refused" && outcome.refusal.kind === "declined";
  if (outcome.kind === "refused" && !isRejected && !isGiven) throw new UserError(refusalText(reply, outcome.refusal));
  const completed = outcome.kind === "completed" || outcome.kind === "finished";
  return {
    run: name,
    ...defined({ run_name: run }),
    step: ref.step,
    attempt: ref.attempt,
    digest,
    decision,
    level: by === undefined ? "elicited" : "proven",
    ...(by === undefined ? {} : { name: by.name, key: by.key }),
    ...defined({ comment }),
    completed,
    ...(completed || isRejected
      ? {}
      : { missing: outcome.kind === "refused" ? refusalText(reply, outcome.refusal) : pendingText(outcome) }),
  };
}

/** Formats the result of an answer for a person. */
export function answerLines(came: AnswerResult, title: string, reply: Reply): readonly string[] {
  const { decision, name, completed, missing, comment } = came;
  const whose = name === undefined ? "" : ` by ${name}, with the key ${came.key}`;
  const warnings = warningTexts(reply.warnings, reply.id).map((warning) => paint("yellow", `! ${oneLine(warning)}`));
  if (decision === "reject") {
    const why = comment === undefined ? "You gave no reason (--reason adds one)." : "It reads the reason first.";
    return [
      `${paint("red", "Rejected")}${whose}: ${title} stays open. The assistant sees this at its next call. ${why}`,
      ...warnings,
    ];
  }
  const rest = completed
    ? `${title} is completed. The assistant's next call continues from there.`
    : `${title} is not completed yet. ${missing}`;
  return [`${paint("green", "Approved")}${whose}: ${rest}`, ...warnings];
}
