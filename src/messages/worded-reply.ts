import type { Reply } from "../engine/reply.ts";
import { defined } from "../kit/defined.ts";
import type { Submission } from "../workflow/events.ts";
import { rejectionOfReply } from "./approval-texts.ts";
import { warningTexts } from "./notices.ts";
import { type ReplyCheck, replyChecks } from "./reply-checks.ts";

/** The parts of a submission that an open attempt keeps: outputs by name, files by path. */
export type KeptSubmission = {
  readonly outputs: readonly string[];
  readonly content: readonly { readonly path: string; readonly bytes: number }[];
  /** Counts what the reply has no room to list. */
  readonly more?: { readonly outputs: number; readonly content: number };
};

/** A reply with the texts that are the same on every transport. */
export type WordedReply<R extends Reply = Reply> = R & {
  readonly kept?: KeptSubmission;
  readonly warningTexts: readonly string[];
  /** A person's rejection of the step that is shown; it is read first. */
  readonly rejection?: string;
  /** The results of the step's checks. */
  readonly checks?: readonly ReplyCheck[];
};

/** Adds the texts that are the same on every transport. */
export function wordReply<R extends Reply>(given: R): WordedReply<R> {
  const reply = repeatRejection(given);
  const submitted = keptSubmission(reply);
  const rejection = rejectionOfReply(reply);
  const said = warningTexts(reply.warnings, reply.id);
  const rejected = defined({ rejection });
  return {
    ...reply,
    warningTexts: said,
    ...rejected,
    ...(submitted === undefined ? {} : { kept: listKept(submitted) }),
    ...checksOf(reply),
  };
}

function checksOf({ outcome }: Reply): Pick<WordedReply, "checks"> {
  const about = outcome.kind === "refused" ? outcome.refusal : outcome;
  const { checks = [] } = "checks" in about ? about : {};
  return checks.length === 0 ? {} : { checks: replyChecks(checks) };
}

/** Lists a submission by name and path. */
export function listKept({ outputs = {}, content = [] }: Submission): KeptSubmission {
  return { outputs: Object.keys(outputs), content: content.map(({ path, bytes }) => ({ path, bytes })) };
}

/** Repeats the rejection of a submission that a person has already rejected. */
function repeatRejection<R extends Reply>(reply: R): R {
  const { outcome } = reply;
  if (outcome.kind !== "awaiting" || !outcome.declined) return reply;
  const { ref, submitted, reason } = outcome;
  const refusal = { kind: "declined", step: ref.step, ...defined({ reason }) } as const;
  return { ...reply, outcome: { kind: "refused", workflow: ref.workflow, current: ref, refusal, kept: submitted } };
}

/** The submission that the reply keeps; undefined if the outcome keeps none. */
function keptSubmission({ outcome, stream }: Reply): Submission | undefined {
  if (outcome.kind === "awaiting" || outcome.kind === "checking") return outcome.submitted;
  if (outcome.kind !== "refused") return undefined;
  const { current } = outcome;
  const state = current === null ? undefined : stream.runs.get(current.workflow)?.steps.get(current.step);
  return outcome.kept ?? (state?.status === "started" ? state.submitted : {});
}
