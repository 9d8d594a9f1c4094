import type { Reply, RevealedStep } from "../engine/reply.ts";
import { isBelow } from "../gates/approval-rule.ts";
import { describeRules } from "../gates/gate-format.ts";
import { violationCount } from "../messages/approval-question.ts";
import { approvalText, howToApproveText, runArgument } from "../messages/approval-texts.ts";
import { boundText, reportedText } from "../messages/blocked-texts.ts";
import { interruptedText, proceedText, workflowCompleteText } from "../messages/fixed-texts.ts";
import { itemsText } from "../messages/item-texts.ts";
import { moveText } from "../messages/move-text.ts";
import { checkingText } from "../messages/reply-checks.ts";
import type { WordedReply } from "../messages/worded-reply.ts";
import type { StepRef, Submission } from "../workflow/events.ts";
import { completeTool } from "../workflow/fixed-tools.ts";
import type { Outcome } from "../workflow/outcome.ts";
import { fitSubmitted } from "./fit-artifacts.ts";

/** The instructions of a reply: the open action's text, or what to do next. */
export function instructionsFor(reply: WordedReply, toolOf: (behavior: string) => string, named: boolean): string {
  // a person's answer comes first, in full: a message has no room for it
  const said = reply.lead ?? reasonOf(reply);
  const objection = said !== undefined && said.length > maxReasonLength ? [said] : [];
  return join(...objection, instructionsOf(reply, toolOf, named));
}

/** The reason of a rejection, if the reply is one. */
function reasonOf({ outcome }: Reply): string | undefined {
  return outcome.kind === "refused" && outcome.refusal.kind === "declined" ? outcome.refusal.reason : undefined;
}

/** A longer reason is cut in a message. */
const maxReasonLength = 200;

function instructionsOf(reply: WordedReply, toolOf: (behavior: string) => string, named: boolean): string {
  const { outcome } = reply;
  const run = named && reply.id.run !== undefined ? [`Pass run "${reply.id.run}" with every call of this work.`] : [];
  const content = reply.shown?.text ?? "";
  switch (outcome.kind) {
    case "opened":
      return join(opened(reply, outcome, toolOf), ...(outcome.show === "whole" ? run : []));
    case "interrupted":
      return join(
        interruptedText(outcome.ref.step),
        ...openedBy(reply, outcome.ref),
        ...waitingForApproval(reply, outcome.ref),
        `Ask the person, then call ${toolOf(outcome.ref.workflow)} with resume "retry" (start over) or "continue" (keep what was submitted).`,
        content,
        ...evidenceText(reply),
        howToComplete(reply.shown?.auto ?? false),
        ...lastActionText(outcome.last, outcome.ref.workflow),
        ...run,
      );
    case "review":
      return join(reviewText(outcome), ...outputsOf(outcome.submitted), content);
    case "completed":
      if (outcome.next === null) return join(`${outcome.ref.step} is completed.`, ...rulesText(reply));
      return join(...rulesText(reply), proceedText(outcome.next));
    case "finished":
      return join(
        ...rulesText(reply),
        workflowCompleteText,
        nextBehavior(outcome.workflow, outcome.nextWorkflow, toolOf),
      );
    case "awaiting":
      if (outcome.correction !== undefined) return aboutCorrection(outcome);
      return join(
        ...rulesText(reply),
        `${outcome.ref.step} is waiting for approval. Your submission is kept.`,
        howToApproveText(reply.id, outcome, completeTool),
      );
    case "blocked":
      return reportedText(reply.id, outcome.ref, outcome.ref.step);
    case "at_bound":
      return boundText(runArgument(reply.id, outcome.ref), outcome.ref.step);
    case "items":
      return "";
    case "unblocked":
      return `${outcome.ref.step} is open again.`;
    case "approved":
      return `${outcome.ref.step} was approved.`;
    case "checking":
      return join(
        ...rulesText(reply),
        checkingText(
          outcome.ref.step,
          `${outcome.ref.step} is not completed yet: its checks are still running`,
          reply.runner,
        ),
        `Send the same ${completeTool} call again in a while to get the result.`,
      );
    case "checked":
      return `${outcome.ref.step} was checked.`;
    case "gone_back":
      return `${outcome.ref.step} must be done again.`;
    case "archived":
      return `${outcome.workflow} is archived.`;
    case "updated":
      return `${outcome.workflow} follows its current definition.`;
    case "aside_opened":
      return join(
        content,
        `When this is done, call ${completeTool} with action "${outcome.step}". The workflow stays where it is.`,
      );
    case "aside_completed":
      return join(
        `${outcome.step} is completed. The workflow stays where it was.`,
        ...(reply.done === undefined ? [] : [reply.done]),
      );
    case "refused":
      return refused(reply, outcome, toolOf);
  }
}

/** Names the caller that opened the step; it may be working on it now. */
function openedBy({ stream: { moves } }: Reply, { workflow, step }: StepRef): string[] {
  const last = moves.findLast((move) => move.workflow === workflow && move.step === step && move.what === "opened");
  return last === undefined ? [] : [`${moveText(last, "bot")}.`];
}

/** Says that a submission is waiting for approval. */
function waitingForApproval({ stream: { runs } }: Reply, { workflow, step }: StepRef): string[] {
  const waiting = runs.get(workflow)?.steps.get(step)?.waiting;
  if (waiting === undefined) return [];
  const since = waiting.since.replace(/\.\d+Z$/, "Z");
  return [
    `It was submitted and has been waiting for approval since ${since}: "continue" keeps it, "retry" discards it.`,
  ];
}

type Of<Kind extends Outcome["kind"]> = Outcome & { readonly kind: Kind };

function opened(
  reply: Reply,
  { show, ref, resumed, last }: Of<"opened">,
  toolOf: (behavior: string) => string,
): string {
  const { shown } = reply;
  const submitted = resumed === undefined ? [] : [submittedSoFarText(resumed)];
  if (show === "nothing" || shown === null)
    return join(
      ...submitted,
      `${ref.step} is open for you; its instructions were just shown. ${toolOf(ref.workflow)} shows them again.`,
      ...lastActionText(last, ref.workflow),
    );
  const how = show === "whole" ? howToComplete(shown.auto) : howToCompleteInShort(shown.auto);
  return join(
    ...submitted,
    ...roundText(shown),
    shown.text,
    ...(shown.calls === undefined ? [] : [itemsText(ref.step, behaviorId(reply.id, ref.workflow), shown)]),
    ...evidenceText(reply),
    how,
    ...lastActionText(last, ref.workflow),
  );
}

/** The name by which the items of a behavior name it. */
function behaviorId({ name, run }: Reply["id"], behavior: string): string {
  return `${name}.${behavior}${run === undefined ? "" : `#${run}`}`;
}

/** The round and role of an action, and what the action that led back to it submitted. */
function roundText({ round }: RevealedStep): string[] {
  if (round === undefined) return [];
  const { number, role, cameBackFrom } = round;
  const { evidence = {}, outputs = {} } = cameBackFrom?.submitted ?? {};
  const back = JSON.stringify(fitSubmitted({ ...outputs, ...evidence }));
  const came = cameBackFrom === undefined ? "" : ` It came back from ${cameBackFrom.step}, which submitted: ${back}`;
  return [
    ...(role === undefined ? [] : [`Role: ${role}`]),
    ...(number === 1 ? [] : [`This is round ${number}.${came}`]),
  ];
}

/** A call out of turn gets the current action's content; one refused by its own gate has it already. */
function refused(reply: Reply, { refusal, current }: Of<"refused">, toolOf: (behavior: string) => string): string {
  const { shown } = reply;
  const isOwn = ["gaps", "violations", "checks", "untrusted", "declined"].includes(refusal.kind);
  if (!isOwn || current === null) return shown?.text ?? "";
  const again = `${current.step} stays open. Call ${toolOf(current.workflow)} to read its instructions again.`;
  return refusal.kind === "violations" ? join(...violationsText(reply), again) : again;
}

/** All violations, for the assistant to fix. */
function violationsText({ violations = [] }: Reply): string[] {
  const lines = violations.slice(0, mostViolations).map(({ rule, severity, file, line, message }) => {
    const place = `${file}${line === undefined ? "" : `:${line}`}`;
    return `- ${rule}${severity === "warning" ? " (warning)" : ""}, ${place}: ${message}`;
  });
  const rest = violations.length - lines.length;
  const title = `Checked by Waymark: ${violationCount(violations)}`;
  return [[title, ...lines, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n")];
}

const mostViolations = 50;

function evidenceText({ shown }: Reply): string[] {
  const gate = shown?.gate;
  if (gate === undefined || gate.requirements.length === 0) return [];
  const lines = gate.requirements.map((requirement) => {
    const { field, type, required, description } = requirement;
    const rules = describeRules(requirement, gate);
    const asked = [type, ...(required ? [] : ["optional"]), ...rules].join(", ");
    return `- ${field} (${asked}): ${description}`;
  });
  return [`## Evidence to submit\n${lines.join("\n")}`];
}

function howToComplete(auto: RevealedStep["auto"]): string {
  if (auto === "if_proved")
    return `When this is done, call ${completeTool} with the results; if its checks pass, no confirmation is needed.`;
  return auto
    ? `When this is done, call ${completeTool} with the results; no confirmation is needed.`
    : `When this is done and the person approves, call ${completeTool} with the results and their own words as confirmation.`;
}

/** The short form, for a caller that got the long one with an earlier action of the behavior. */
function howToCompleteInShort(auto: RevealedStep["auto"]): string {
  if (auto === "if_proved") return `Then ${completeTool}; if its checks pass, no confirmation is needed.`;
  return auto
    ? `Then ${completeTool}; no confirmation is needed.`
    : `Then ${completeTool}, with the person's confirmation.`;
}

/** A rule changes only with a person's approval; nothing from the call is kept until then. */
function aboutCorrection({ unanswered, needs }: Of<"awaiting">): string {
  const asked = unanswered ? "They were asked through this client and did not answer. " : "";
  const show = `The rule is unchanged: a person must approve the correction first. ${asked}Show it to them in full, including its pattern`;
  // a correction waits on no page for approvals: an author can edit the rule's file
  if (isBelow("relayed", needs.level))
    return `${show}. It needs ${approvalText(needs)}, and relaying it does not count: ask them to edit the rule's file themselves.`;
  return `${show}; if they approve, send the same call again with their own words as confirmation, never invented.`;
}

function lastActionText(last: boolean, workflow: string): string[] {
  return last ? [`This is the last action of ${workflow}.`] : [];
}

function nextBehavior(workflow: string, next: string | null, toolOf: (behavior: string) => string): string {
  if (next === null) return `${workflow} is finished, and so is every behavior after it.`;
  return `The next behavior is ${next}: call ${toolOf(next)} when the person wants to continue.`;
}

function reviewText({ ref, skipped }: Of<"review">): string {
  if (skipped !== undefined) return `${ref.step} is skipped by its author: ${skipped}`;
  return `${ref.step} is already completed. This is a review; nothing has moved. To do it again, call with resume "retry".`;
}

function submittedSoFarText(submitted: Submission): string {
  const { inputs, outputs, evidence, content } = submitted;
  if ([inputs, outputs, evidence, content].every((part) => part === undefined))
    return "Continuing. Nothing was submitted so far.";
  return `Continuing. Submitted so far:\n${fence({ inputs, outputs, evidence, content: content?.map(({ path, bytes }) => ({ path, bytes })) })}`;
}

function outputsOf({ outputs, content }: Submission): string[] {
  if (outputs === undefined && content === undefined) return [];
  return [`Its outputs:\n${fence({ outputs, content: content?.map(({ path, bytes }) => ({ path, bytes })) })}`];
}

function rulesText({ violations }: Reply): string[] {
  if (violations === undefined) return [];
  if (violations.length === 0) return ["Rules checked by Waymark: no violations."];
  const lines = violations.map(({ rule, severity, file, line, message }) => {
    return `- ${severity}: ${rule}, ${file}${line === undefined ? "" : `:${line}`}: ${message}`;
  });
  return [
    `Rules checked by Waymark: ${violationCount(violations)}. Show them to the person.\n${lines.slice(0, 50).join("\n")}`,
  ];
}

function fence(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 1)}\n\`\`\``;
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
