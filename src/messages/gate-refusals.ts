import { problemText } from "../gates/problem.ts";
import { countText } from "../kit/count-text.ts";
import type { NamedAttempt, Refusal } from "../workflow/refusal.ts";
import { approvalText } from "./approval-texts.ts";
import { incompleteText, unsavedText } from "./fixed-texts.ts";
import type { RefusalMessage } from "./refusal-codes.ts";

/** The refusals that read the same for actions and phases, except for the step's title. */
export type SharedRefusal = Refusal & {
  readonly kind:
    | "gate_closed"
    | "gaps"
    | "violations"
    | "checks"
    | "untrusted"
    | "declined"
    | "rejected_before"
    | "other_submission"
    | "not_enough"
    | "not_blocked"
    | "not_that_attempt"
    | "late_copy"
    | "unproved"
    | "not_recorded"
    | "not_stored"
    | "forbidden"
    | "item_not_ready"
    | "item_settled"
    | "item_closed"
    | "no_session"
    | "invalid_input";
};

/** Words a refusal that any step can get; `title` names the step for its reader, `tool` completes it. */
export function sharedRefusalMessage(
  refusal: SharedRefusal,
  title: (step: string) => string,
  tool: string,
): RefusalMessage {
  switch (refusal.kind) {
    case "gate_closed": {
      const { problem } = refusal;
      const step = title(refusal.step);
      return {
        error: "invalid_definition",
        message: `${step} can't be completed until its gate is fixed: ${problemText(problem)}.`,
        required_action: `Fix ${problem.file}, then complete ${step} again.`,
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
        message: `${step} is not done: ${countText(violations.length, "error")}, ${first.join("; ")}.`,
        required_action: `Fix these files, submit them again as content, and complete ${step} again.`,
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
        required_action: `Fix these and call ${tool} again; the checks will rerun.`,
        ...(gaps.length === 0 ? {} : { missing_evidence: gaps.map(({ text }) => text) }),
      };
    }
    case "untrusted": {
      const { checks } = refusal;
      const step = title(refusal.step);
      const untrusted = checks.filter(({ status }) => status === "untrusted");
      const names = untrusted.map(({ name }) => name);
      const trust = untrusted.map((one) => ("trust" in one ? one.trust : undefined)).find((one) => one !== undefined);
      return {
        error: "check_untrusted",
        message: `The checks of ${step} run commands that are not trusted on this machine: ${names.join(", ")}. Nothing was run.`,
        required_action: `Ask the person to review them with ${trust ?? "waymark trust"}, then complete ${step} again.`,
      };
    }
    case "declined": {
      const step = title(refusal.step);
      const why = refusal.reason === undefined ? "" : `: ${refusal.reason}`;
      return {
        error: "approval_rejected",
        message: `The person rejected ${step}${why}. It stays open.`,
        required_action: `Ask what is missing, fix it, and complete ${step} again.`,
      };
    }
    case "item_not_ready":
      return { error: "item_not_ready", ...itemNotReady(refusal) };
    case "item_settled":
      return {
        error: "conflict",
        message: `Item ${refusal.item} is already settled (${refusal.outcome}). Nothing from this call was kept.`,
        required_action: "Open another item: reading the step lists those that are ready.",
      };
    case "no_session":
      return {
        error: "session_not_found",
        message: `There is no session ${refusal.session.slice(0, 100)}.`,
        required_action: "Call get_workflow_state without session_id for the list, or start_workflow to begin one.",
      };
    case "item_closed":
      return {
        error: "conflict",
        message: `This item no longer counts: ${refusal.parent} has moved on, ended or was archived. Nothing from this call was kept.`,
        required_action: `Read ${refusal.parent} for the items that count now.`,
      };
    case "rejected_before":
      return {
        error: "approval_rejected",
        message: `A person rejected exactly this submission of ${title(refusal.step)}. Only an approval signed with a key can overrule that (proven).`,
        required_action:
          "Approve it with your own key (waymark approve --enroll NAME creates one), or have the assistant change it and submit it again.",
      };
    case "other_submission":
      return {
        error: "conflict",
        message: `This answer is for another submission of ${title(refusal.step)}: it was submitted again, completed or restarted in the meantime.`,
        required_action: "Run waymark show to see what is waiting now, and answer that.",
      };
    case "not_enough":
      return {
        error: "approval_required",
        message: `This answer does not count for ${title(refusal.step)}: it needs ${approvalText(refusal.needs)}.`,
        required_action:
          refusal.why === "level"
            ? "Approve with your own key: waymark approve --enroll NAME creates one."
            : "Ask one of them to answer.",
      };
    case "not_blocked":
      return {
        error: "conflict",
        message: `${title(refusal.step)} is not blocked, so there is nothing to answer.`,
        required_action: "Run waymark show to see what is waiting now.",
      };
    case "not_that_attempt": {
      const what = refusal.step === undefined ? "This attempt" : `This attempt at ${title(refusal.step)}`;
      return {
        error: "conflict",
        message: `${what} is not open, and no completion with these arguments is known. ${openText(refusal, title)}`,
        required_action: `Read the open step again, and call ${tool} with the attempt of that reply.`,
      };
    }
    case "late_copy": {
      const { step, open } = refusal;
      return {
        error: "conflict",
        message: `You completed ${title(step)} with the same arguments, so this may be that call arriving late. ${openText(refusal, title)}`,
        required_action:
          open === undefined
            ? "Open the next step first."
            : `If it is for ${title(open.step)}, send it again with attempt "${open.attempt ?? ""}".`,
      };
    }
    case "unproved":
      return {
        error: "approval_required",
        message: `The answer about ${title(refusal.step)} does not count: ${refusal.problem}.`,
        required_action: "Run waymark show to see what is waiting, and answer it with waymark approve.",
      };
    case "not_recorded":
      return {
        error: "conflict",
        message: `${unsavedText} Nothing was started or completed.`,
        required_action: "Make the project area writable (disk space, permissions), then send the same call again.",
      };
    case "not_stored":
      return {
        error: "unavailable",
        message: `The content cannot be stored on disk now: ${refusal.paths.join(", ")}. Nothing was completed, and nothing from this call was kept.`,
        required_action: "Make the project area writable (disk space, permissions), then send the same call again.",
      };
    case "forbidden":
      return forbiddenMessage(refusal.deed, refusal.role);
    case "invalid_input":
      return { error: "invalid_input", message: `Not accepted: ${refusal.message}.`, required_action: refusal.fix };
  }
}

/** Names the open step and its attempt, and says that a refused call left nothing behind. */
function openText({ open }: { readonly open?: NamedAttempt }, title: (step: string) => string): string {
  if (open === undefined) return "Nothing from this call was kept.";
  return `Now ${namedAttemptText(title(open.step), open.attempt)} is open. Nothing from this call was kept.`;
}

/** Names a step with its attempt. */
export function namedAttemptText(step: string, attempt: string | undefined): string {
  return attempt === undefined ? step : `${step} (attempt ${attempt})`;
}

/** Refuses what needs a role the caller does not have. */
export function forbiddenMessage(deed: string, role: string): RefusalMessage {
  return {
    error: "forbidden",
    message: `Your token does not let you ${deed}: that needs the role ${role}.`,
    required_action: `Leave it to someone whose token has the role ${role}; nothing has changed.`,
  };
}

/** Says what an item waits for. */
function itemNotReady({ item, after, taken, person }: Refusal & { kind: "item_not_ready" }): {
  readonly message: string;
  readonly required_action: string;
} {
  const listed = (ids: readonly string[]): string =>
    `${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ` and ${ids.length - 10} more` : ""}`;
  if (person === true)
    return {
      message: `Item ${item} ended without being settled, so it waits for a person.`,
      required_action: `Ask the person to answer (waymark answer), or to drop it: waymark drop RUN ${item} --reason "WHY".`,
    };
  if (taken !== undefined)
    return {
      message: `Item ${item} is not ready: every place is taken (${listed(taken)}).`,
      required_action: "Finish one of them, then open this item again.",
    };
  return {
    message: `Item ${item} is not ready: it waits for ${listed(after)}.`,
    required_action: "Open and finish those items first.",
  };
}
