import type { Reply, Shown } from "../engine/reply.ts";
import { isBelow } from "../evidence/approval.ts";
import { describeRules } from "../evidence/gate-format.ts";
import { approvalInWords, askElsewhere } from "../words/approval.ts";
import { moveInWords } from "../words/move.ts";
import type { InWords } from "../words/reply.ts";
import { interruptedText, proceedText, workflowCompleteText } from "../words/texts.ts";
import type { HandedIn, StepRef } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";
import { completeTool } from "./tool-catalog.ts";

/** What a reply tells the assistant to do: the open action's text, or what follows from what it has done. */
export function instructionsFor(reply: InWords, toolOf: (behavior: string) => string, named: boolean): string {
  // What a person objects to stands before everything else: here whole, where a message has no room for it.
  const said = reply.rejection ?? reasonOf(reply);
  const objection = said !== undefined && said.length > roomForReason ? [said] : [];
  return join(...objection, instructionsOf(reply, toolOf, named));
}

/** What a person said no with, where that is the answer. */
function reasonOf({ outcome }: Reply): string | undefined {
  return outcome.kind === "refused" && outcome.refusal.kind === "declined" ? outcome.refusal.reason : undefined;
}

/** A longer reason is cut in a message. */
const roomForReason = 200;

function instructionsOf(reply: Reply, toolOf: (behavior: string) => string, named: boolean): string {
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
        ...waitsSince(reply, outcome.ref),
        `Ask the person, then call ${toolOf(outcome.ref.workflow)} with resume "retry" (start afresh) or "continue" (keep what was handed in).`,
        content,
        ...evidenceText(reply),
        howToComplete(reply.shown?.auto ?? false),
        ...lastOne(outcome.last, outcome.ref.workflow),
        ...run,
      );
    case "review":
      return join(reviewText(outcome), ...outputsOf(outcome.handed), content);
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
        `${outcome.ref.step} is not completed yet: a person must agree. What you handed in is kept.`,
        askElsewhere(reply) ?? howToAsk(outcome),
      );
    case "approved":
      return `${outcome.ref.step} was approved.`;
    case "checking":
      return join(
        ...rulesText(reply),
        `${outcome.ref.step} is not completed yet: its checks are still running. What you handed in is kept.`,
        `Send the same ${completeTool} call again in a while: it gets the result.`,
      );
    case "checked":
      return `${outcome.ref.step} was checked.`;
    case "gone_back":
      return `${outcome.ref.step} is to be done again.`;
    case "archived":
      return `${outcome.workflow} is archived.`;
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

/** Who opened the step that is found open, and when: they may be at work on it now. */
function openedBy({ desk: { moves } }: Reply, { workflow, step }: StepRef): string[] {
  const last = moves.findLast((move) => move.workflow === workflow && move.step === step && move.what === "opened");
  return last === undefined ? [] : [`${moveInWords(last, "bot")}.`];
}

/** Says of a step that is handed in that a person's word is all it waits for. */
function waitsSince({ desk: { runs } }: Reply, { workflow, step }: StepRef): string[] {
  const waiting = runs.get(workflow)?.steps.get(step)?.waiting;
  if (waiting === undefined) return [];
  const since = waiting.since.replace(/\.\d+Z$/, "Z");
  return [
    `It is handed in, and waits for a person's word since ${since}: "continue" keeps that, "retry" would discard it.`,
  ];
}

type Of<Kind extends Outcome["kind"]> = Outcome & { readonly kind: Kind };

function opened(
  reply: Reply,
  { show, ref, resumed, last }: Of<"opened">,
  toolOf: (behavior: string) => string,
): string {
  const { shown } = reply;
  const handed = resumed === undefined ? [] : [handedInSoFar(resumed)];
  if (show === "nothing" || shown === null)
    return join(
      ...handed,
      `${ref.step} is open for you; its instructions are as shown just now. ${toolOf(ref.workflow)} shows them again.`,
      ...lastOne(last, ref.workflow),
    );
  const how = show === "whole" ? howToComplete(shown.auto) : howToCompleteInShort(shown.auto);
  return join(...handed, shown.text, ...evidenceText(reply), how, ...lastOne(last, ref.workflow));
}

/** A call out of turn gets the action whose turn it is; one that its own gate turned down has read it. */
function refused(reply: Reply, { refusal, current }: Of<"refused">, toolOf: (behavior: string) => string): string {
  const { shown } = reply;
  const isOwn = ["gaps", "violations", "checks", "untrusted", "declined"].includes(refusal.kind);
  if (!isOwn || current === null) return shown?.text ?? "";
  const again = `${current.step} stays open. Call ${toolOf(current.workflow)} to read its instructions again.`;
  return refusal.kind === "violations" ? join(...violationsText(reply), again) : again;
}

/** Everything that the rules found, for whoever has to mend it. */
function violationsText({ violations = [] }: Reply): string[] {
  const lines = violations.slice(0, mostViolations).map(({ rule, severity, file, line, message }) => {
    const place = `${file}${line === undefined ? "" : `:${line}`}`;
    return `- ${rule}${severity === "warning" ? " (warning)" : ""}, ${place}: ${message}`;
  });
  const rest = violations.length - lines.length;
  const title = `Checked by Waymark: ${violations.length} violation${violations.length === 1 ? "" : "s"}`;
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
  return [`## Evidence to hand in\n${lines.join("\n")}`];
}

function howToComplete(auto: Shown["auto"]): string {
  if (auto === "if_proved")
    return `When this is done, call ${completeTool} with the results; if its checks pass, no confirmation is needed.`;
  return auto
    ? `When this is done, call ${completeTool} with the results; no confirmation is needed.`
    : `When this is done and the person agrees, call ${completeTool} with the results and their own words as confirmation.`;
}

/** For whoever was told the whole with an earlier action of the same behavior. */
function howToCompleteInShort(auto: Shown["auto"]): string {
  if (auto === "if_proved") return `Then ${completeTool}; if its checks pass, no confirmation is needed.`;
  return auto
    ? `Then ${completeTool}; no confirmation is needed.`
    : `Then ${completeTool}, with the person's confirmation.`;
}

function howToAsk({ unanswered }: Of<"awaiting">): string {
  if (unanswered)
    return `They were asked through this client, and nobody answered. If they have told you that it is done, call ${completeTool} again with their own words as confirmation; that goes on record as passed on by you.`;
  return `Ask them; then call ${completeTool} with their own words as confirmation.`;
}

/** A rule changes on a person's word alone; nothing of the call is kept until then. */
function aboutCorrection({ unanswered, needs }: Of<"awaiting">): string {
  const asked = unanswered ? "They were asked through this client, and nobody answered. " : "";
  const show = `The rule is as it was: a person must agree to the correction first. ${asked}Show it to them whole, its pattern too`;
  // No correction waits where approvals are given: an author has the rule's file for that.
  if (isBelow("relayed", needs.level))
    return `${show}. It needs ${approvalInWords(needs)}, and your passing it on does not count: ask them to write it into the rule's file themselves.`;
  return `${show}; if they agree, send the same call again with their own words as confirmation, never invented.`;
}

function lastOne(last: boolean, workflow: string): string[] {
  return last ? [`This is the last action of ${workflow}.`] : [];
}

function nextBehavior(workflow: string, next: string | null, toolOf: (behavior: string) => string): string {
  if (next === null) return `${workflow} is finished, and so is every behavior after it.`;
  return `The next behavior is ${next}: call ${toolOf(next)} when the person wants to go on.`;
}

function reviewText({ ref, skipped }: Of<"review">): string {
  if (skipped !== undefined) return `${ref.step} is passed over by its author: ${skipped}`;
  return `${ref.step} is already completed. This is a review; nothing has moved. To do it again, call with resume "retry".`;
}

function handedInSoFar(handed: HandedIn): string {
  const { inputs, outputs, evidence, content } = handed;
  if ([inputs, outputs, evidence, content].every((part) => part === undefined))
    return "Continuing. Nothing was handed in so far.";
  return `Continuing. Handed in so far:\n${fence({ inputs, outputs, evidence, content: content?.map(({ path, bytes }) => ({ path, bytes })) })}`;
}

function outputsOf({ outputs, content }: HandedIn): string[] {
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
    `Rules checked by Waymark: ${violations.length} violation(s). Show them to the person.\n${lines.slice(0, 50).join("\n")}`,
  ];
}

function fence(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 1)}\n\`\`\``;
}

function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
