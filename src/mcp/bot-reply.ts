import type { ServedBot } from "../engine/ports.ts";
import type { Reply } from "../engine/reply.ts";
import type { HandedIn } from "../workflow/events.ts";
import { describeRules } from "../workflow/gate-format.ts";
import { interruptedText, proceedText, workflowCompleteText } from "../workflow/next-step.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { clip, fitWarnings } from "./fit.ts";
import { completeTool } from "./tool-catalog.ts";

/** What every tool of a bot answers with. */
export type BotAnswer = {
  readonly status:
    | "started"
    | "interrupted"
    | "awaiting_human"
    | "completed"
    | "workflow_complete"
    | "review"
    | "refused";
  readonly bot: string | null;
  readonly behavior: string | null;
  readonly action: string | null;
  readonly instructions: string;
  readonly next: { readonly action: string; readonly tool: string; readonly auto: boolean } | null;
  readonly history: {
    readonly count: number;
    readonly last: readonly { readonly action: string; readonly at: string }[];
  };
  readonly warnings: readonly string[];
  readonly error?: string;
  readonly message?: string;
  readonly required_action?: string;
  readonly missing_evidence?: readonly string[];
};

/** Puts a reply into the words of bots: status, place, instructions, what comes next. */
export function botAnswer(bot: ServedBot, reply: Reply, warnings: readonly string[]): BotAnswer {
  const { outcome } = reply;
  const toolOf = (behavior: string): string => bot.behaviors.find(({ name }) => name === behavior)?.tool ?? bot.tool;
  const next = outcome.kind === "completed" ? outcome.next : null;
  // Hosts that shorten a long answer keep its two ends: what matters most stands first, the long part last but one.
  return {
    status: statusOf(outcome),
    bot: bot.name,
    behavior: behaviorOf(outcome),
    action: actionOf(outcome),
    ...(outcome.kind === "refused" ? fitRefusal(outcome.refusal) : {}),
    warnings: fitWarnings([...warnings, ...reply.warnings]),
    next: next === null ? null : { action: next.step, tool: toolOf(next.workflow), auto: next.auto },
    instructions: instructionsFor(reply, toolOf),
    history: {
      count: reply.history.count,
      last: reply.history.last.map(({ workflow, step, timestamp }) => ({
        action: clip(`${workflow}.${step}`, 80),
        at: timestamp,
      })),
    },
  };
}

function fitRefusal(refusal: Refusal): Refusal {
  return { ...refusal, message: clip(refusal.message, 300), required_action: clip(refusal.required_action, 240) };
}

function statusOf({ kind }: Outcome): BotAnswer["status"] {
  switch (kind) {
    case "opened":
    case "aside_opened":
      return "started";
    case "finished":
      return "workflow_complete";
    case "awaiting":
      return "awaiting_human";
    case "aside_completed":
      return "completed";
    case "gone_back":
      return "review";
    case "interrupted":
    case "review":
    case "completed":
    case "refused":
      return kind;
  }
}

function behaviorOf(outcome: Outcome): string | null {
  return "ref" in outcome && outcome.ref !== null
    ? outcome.ref.workflow
    : "workflow" in outcome
      ? outcome.workflow
      : null;
}

function actionOf(outcome: Outcome): string | null {
  if ("step" in outcome) return outcome.step;
  if (outcome.kind === "refused") return outcome.current?.step ?? null;
  return outcome.ref?.step ?? null;
}

function instructionsFor(reply: Reply, toolOf: (behavior: string) => string): string {
  const { outcome, content, auto } = reply;
  switch (outcome.kind) {
    case "opened": {
      const resumed = outcome.resumed === undefined ? [] : [handedInSoFar(outcome.resumed)];
      return join(
        ...resumed,
        content,
        ...evidenceText(reply),
        howToComplete(auto),
        ...lastOne(outcome.last, outcome.ref.workflow),
      );
    }
    case "interrupted":
      return join(
        interruptedText(outcome.ref.step),
        `Ask the person, then call ${toolOf(outcome.ref.workflow)} with resume "retry" (start afresh) or "continue" (keep what was handed in).`,
        content,
        ...lastOne(outcome.last, outcome.ref.workflow),
      );
    case "review":
      return join(reviewText(outcome), ...outputsOf(outcome.handed), content);
    case "completed":
      if (outcome.next === null) return join(`${outcome.ref.step} is completed.`, ...rulesText(reply));
      return join(...rulesText(reply), proceedText(outcome.next), `Call ${toolOf(outcome.next.workflow)} to open it.`);
    case "finished":
      return join(
        ...rulesText(reply),
        workflowCompleteText,
        nextBehavior(outcome.workflow, outcome.nextWorkflow, toolOf),
      );
    case "awaiting":
      return join(
        ...rulesText(reply),
        `${outcome.ref.step} is not completed yet: a person must agree. What you handed in is kept.`,
        reply.unanswered === true
          ? `They were asked through this client, and nobody answered. If they have told you that it is done, call ${completeTool} again with their own words as confirmation; that goes on record as passed on by you.`
          : `Ask them; then call ${completeTool} with their own words as confirmation.`,
      );
    case "gone_back":
      return `${outcome.ref.step} is to be done again.`;
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
      return content;
  }
}

function evidenceText({ gate }: Reply): string[] {
  if (gate === undefined || gate.requirements.length === 0) return [];
  const lines = gate.requirements.map((requirement) => {
    const { field, type, required, description } = requirement;
    const rules = describeRules(requirement, gate);
    const asked = [type, ...(required ? [] : ["optional"]), ...rules].join(", ");
    return `- ${field} (${asked}): ${description}`;
  });
  return [`## Evidence its gate asks for\n${lines.join("\n")}`];
}

function howToComplete(auto: boolean): string {
  return auto
    ? `When this is done, call ${completeTool} with the results; no confirmation is needed.`
    : `When this is done and the person agrees, call ${completeTool} with the results and their own words as confirmation.`;
}

function lastOne(last: boolean, workflow: string): string[] {
  return last ? [`This is the last action of ${workflow}.`] : [];
}

function nextBehavior(workflow: string, next: string | null, toolOf: (behavior: string) => string): string {
  if (next === null) return `${workflow} is finished, and so is every behavior after it.`;
  return `${workflow} is finished. The next behavior is ${next}: call ${toolOf(next)} when the person wants to go on.`;
}

function reviewText({ ref, skipped }: Outcome & { kind: "review" }): string {
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
