import { problemText } from "../evidence/problem.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { approvalInWords } from "./approval.ts";
import type { RefusalWords } from "./codes.ts";
import { incompleteText, unsavedText } from "./texts.ts";

/** The refusals that read alike for actions and phases, but for what the step is called. */
export type SharedRefusal = Refusal & {
  readonly kind:
    | "gate_closed"
    | "gaps"
    | "violations"
    | "checks"
    | "untrusted"
    | "declined"
    | "other_hand_in"
    | "not_enough"
    | "unproved"
    | "not_recorded"
    | "forbidden"
    | "invalid_input";
};

/** Puts a no that any step can meet into words; `title` is what its reader calls the step. */
export function sharedRefusal(refusal: SharedRefusal, title: (step: string) => string): RefusalWords {
  switch (refusal.kind) {
    case "gate_closed": {
      const { problem } = refusal;
      const step = title(refusal.step);
      return {
        error: "invalid_definition",
        message: `The gate of ${step} cannot be read, so it stays closed: ${problemText(problem)}.`,
        required_action: `Mend ${problem.file}, then complete ${step} again.`,
      };
    }
    case "gaps":
      return {
        error: "incomplete_checkpoint",
        message: incompleteText,
        required_action: `Complete ${title(refusal.step)} again with the missing evidence.`,
        missing_evidence: refusal.gaps.map(({ text }) => text),
      };
    case "violations": {
      const { violations } = refusal;
      const step = title(refusal.step);
      const first = violations
        .slice(0, 3)
        .map(
          ({ rule, file, line, message }) => `${rule} in ${file}${line === undefined ? "" : `:${line}`} (${message})`,
        );
      return {
        error: "check_failed",
        message: `${step} is not done: ${violations.length} rule violation(s), ${first.join("; ")}.`,
        required_action: `Mend the files named, hand them in again as content, and complete ${step} again.`,
      };
    }
    case "checks": {
      const { checks, gaps } = refusal;
      const step = title(refusal.step);
      const failed = checks
        .filter(({ status }) => status !== "passed")
        .map(({ name, summary }) => `${name}: ${summary}`);
      return {
        error: "check_failed",
        message: `${step} is not done: ${failed.join("; ")}.`,
        required_action: `Mend what the checks found, then complete ${step} again: they are run again.`,
        ...(gaps.length === 0 ? {} : { missing_evidence: gaps.map(({ text }) => text) }),
      };
    }
    case "untrusted": {
      const { checks } = refusal;
      const step = title(refusal.step);
      const names = checks.filter(({ status }) => status === "untrusted").map(({ name }) => name);
      return {
        error: "check_untrusted",
        message: `${step} is checked by commands that no person has trusted on this machine: ${names.join(", ")}. Nothing was run.`,
        required_action: `Ask the person to look at them with waymark trust; then complete ${step} again.`,
      };
    }
    case "declined": {
      const step = title(refusal.step);
      const why = refusal.reason === undefined ? "" : `: ${refusal.reason}`;
      return {
        error: "approval_rejected",
        message: `The person did not agree that ${step} is done${why}. It stays open.`,
        required_action: `Ask what is missing, work on ${step}, and complete it again.`,
      };
    }
    case "other_hand_in":
      return {
        error: "conflict",
        message: `What was answered about ${title(refusal.step)} is not what waits there now: it was handed in anew, completed or begun anew meanwhile.`,
        required_action: "Look at what waits now with waymark show, and answer that.",
      };
    case "not_enough":
      return {
        error: "approval_required",
        message: `This answer does not count for ${title(refusal.step)}: it needs ${approvalInWords(refusal.needs)}.`,
        required_action:
          refusal.why === "level"
            ? "Answer with a key of your own: waymark approve --enroll NAME makes one."
            : "Ask one of them to answer.",
      };
    case "unproved":
      return {
        error: "approval_required",
        message: `The answer about ${title(refusal.step)} does not count: ${refusal.problem}.`,
        required_action: "Look at what waits with waymark show, and answer it with waymark approve.",
      };
    case "not_recorded":
      return {
        error: "conflict",
        message: `${unsavedText} Nothing has been started or completed.`,
        required_action: "Make the project area writable (disk space, permissions), then send the same call again.",
      };
    case "forbidden":
      return forbidden(refusal.deed, refusal.role);
    case "invalid_input":
      return { error: "invalid_input", message: `Not taken: ${refusal.message}.`, required_action: refusal.fix };
  }
}

/** No to what takes another role than the caller's. */
export function forbidden(deed: string, role: string): RefusalWords {
  return {
    error: "forbidden",
    message: `Your token does not let you ${deed}: that takes the role ${role}.`,
    required_action: `Leave it to somebody with a token of the role ${role}; nothing has changed.`,
  };
}
