import type { PersonsAnswer } from "../engine/answer.ts";
import type { Reply } from "../engine/reply.ts";
import type { Statement } from "../people/statement.ts";
import { approvalInWords } from "../words/approval.ts";
import { saidInWords } from "../words/notices.ts";
import { UserFault } from "./fault.ts";
import { paint, plain } from "./print.ts";
import { refusalText } from "./refusal-text.ts";
import { knownAs, type Waiting } from "./show-hand-in.ts";

/** What an answer came to, as scripts get it. */
export type CameTo = {
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
  /** Whether the step is completed. */
  readonly completed: boolean;
  /** What is still missing, where the answer is on record and does not complete it. */
  readonly missing?: string;
};

/** What a person does, in words. */
export function deedOf(decision: Statement["decision"], waiting: Waiting): string {
  return `${decision} ${plain(waiting.title)} of ${knownAs(waiting)}`;
}

/** What an answer came to; one that is not on record is refused. */
export function cameTo(
  { name, run }: Waiting,
  reply: Reply,
  { ref, digest, decision, comment, signed }: PersonsAnswer,
  by: { readonly name: string; readonly key: string } | undefined,
): CameTo {
  const { outcome } = reply;
  const { approvals = [] } = reply.desk.runs.get(ref.workflow)?.steps.get(ref.step) ?? {};
  const nonce = signed?.statement.nonce;
  const isGiven = approvals.some((one) => one.digest === digest && one.signed?.statement.nonce === nonce);
  const isRejected = outcome.kind === "refused" && outcome.refusal.kind === "declined";
  if (outcome.kind === "refused" && !isRejected && !isGiven) throw new UserFault(refusalText(reply, outcome.refusal));
  const completed = outcome.kind === "completed" || outcome.kind === "finished";
  return {
    run: name,
    ...(run === undefined ? {} : { run_name: run }),
    step: ref.step,
    attempt: ref.attempt,
    digest,
    decision,
    level: by === undefined ? "elicited" : "proven",
    ...(by === undefined ? {} : { name: by.name, key: by.key }),
    ...(comment === undefined ? {} : { comment }),
    completed,
    ...(completed || isRejected ? {} : { missing: missingIn(reply) }),
  };
}

/** The same for a person. */
export function answeredLines(came: CameTo, title: string, reply: Reply): readonly string[] {
  const { decision, name, completed, missing, comment } = came;
  const whose = name === undefined ? "" : ` by ${name}, with the key ${came.key}`;
  const warnings = saidInWords(reply.warnings, reply.id).map((warning) => paint("yellow", `! ${plain(warning)}`));
  if (decision === "reject") {
    const why =
      comment === undefined ? "It is told so without a reason (--reason gives one)." : "It reads the reason first.";
    return [
      `${paint("red", "Rejected")}${whose}: ${title} stays open. The assistant is told at its next call. ${why}`,
      ...warnings,
    ];
  }
  const rest = completed
    ? `${title} is completed. The assistant's next call goes on from there.`
    : `${title} is not completed yet. ${missing}`;
  return [`${paint("green", "Approved")}${whose}: ${rest}`, ...warnings];
}

/** What keeps an approved step from being completed. */
function missingIn(reply: Reply): string {
  const { outcome } = reply;
  if (outcome.kind === "refused") return refusalText(reply, outcome.refusal);
  if (outcome.kind === "checking") return "Its checks are being run again: the assistant's next call completes it.";
  if (outcome.kind !== "awaiting") return "The assistant's next call goes on from there.";
  const { needs, given } = outcome;
  return `It needs ${approvalInWords(needs)}: ${given.length} of ${needs.count} given.`;
}
