import type { ServedBot } from "../engine/ports/definitions.ts";
import { defined } from "../kit/defined.ts";
import type { JsonObject } from "../kit/json.ts";
import { botRefusalMessage } from "../messages/bot-refusals.ts";
import { shownItems } from "../messages/item-texts.ts";
import type { RefusalMessage } from "../messages/refusal-codes.ts";
import type { ReplyCheck } from "../messages/reply-checks.ts";
import type { KeptSubmission, WordedReply } from "../messages/worded-reply.ts";
import type { Outcome } from "../workflow/outcome.ts";
import { instructionsFor } from "./bot-instructions.ts";
import { clip, fitExtras } from "./fit.ts";
import { boolean, closed, integer, list, object, sharedReply, text, textOrNull, texts } from "./output-schema.ts";
import { estimateTokens } from "./reply-tokens.ts";

/** The reply of every bot tool. */
export type BotReply = {
  readonly status:
    | "started"
    | "interrupted"
    | "checking"
    | "awaiting_human"
    | "completed"
    | "workflow_complete"
    | "review"
    | "refused";
  readonly bot: string | null;
  readonly run?: string;
  readonly behavior: string | null;
  readonly action: string | null;
  readonly attempt?: string;
  /** The round of the action, in a behavior with routes, and the action whose completion led back to it. */
  readonly round?: number;
  readonly came_back_from?: string;
  /** How the behavior ended, where its author declares that. */
  readonly outcome?: string;
  /** The items of the action: how many, and which are open or can be opened. */
  readonly items?: JsonObject;
  readonly instructions: string;
  readonly next: { readonly action: string; readonly tool: string; readonly auto: boolean } | null;
  readonly history: {
    readonly count: number;
    readonly last: readonly { readonly action: string; readonly at: string }[];
  };
  readonly warnings: readonly string[];
  readonly kept?: KeptSubmission;
  /** The resources where the files of a completed action can be read, for callers that do not see them. */
  readonly saved?: readonly string[];
  /** The standards that fit the opened action. */
  readonly standards?: readonly string[];
  readonly checks?: readonly ReplyCheck[];
  /** The checks wait for a runner beside the files. */
  readonly waiting_for?: "runner";
} & Partial<RefusalMessage>;

/** The schema of those replies. */
export const botOutput = closed(
  {
    status: {
      type: "string",
      enum: [
        "started",
        "interrupted",
        "checking",
        "awaiting_human",
        "completed",
        "workflow_complete",
        "review",
        "refused",
      ],
    },
    bot: textOrNull,
    behavior: textOrNull,
    action: textOrNull,
    instructions: text,
    next: { anyOf: [closed({ action: text, tool: text, auto: boolean }), { type: "null" }] },
    history: closed({ count: integer, last: list(closed({ action: text, at: text })) }),
    warnings: texts,
  },
  {
    run: text,
    round: integer,
    came_back_from: text,
    outcome: text,
    items: object,
    missing_evidence: texts,
    ...sharedReply,
  },
);

/** The text beside structured content: everything, or one line for hosts that show both. */
export type ReplyForm = "whole" | "line";

/** The kind of call; a reply to a completion also says what is kept. */
export type CallKind = "open" | "complete";

/** Renders a reply for bots: status, position, instructions, next step. `named`: calls must name the run. */
export function renderBotReply(
  bot: ServedBot,
  reply: WordedReply,
  warnings: readonly string[],
  wanted: CallKind,
  named = false,
): BotReply {
  const { outcome, stream, id, warningTexts } = reply;
  const toolOf = (behavior: string): string => bot.behaviors.find(({ name }) => name === behavior)?.tool ?? bot.tool;
  const next = outcome.kind === "completed" ? outcome.next : null;
  const kept = wanted === "complete" ? reply.kept : undefined;
  const objection = outcome.kind === "refused" && reply.lead !== undefined ? [reply.lead] : [];
  const history = {
    count: stream.completedCount,
    last: stream.recentCompletions.slice(-5).map(({ workflow, step, timestamp }) => ({
      action: clip(`${workflow}.${step}`, 80),
      at: timestamp.replace(/\.\d+Z$/, "Z"),
    })),
  };
  const about = {
    status: statusOf(outcome),
    bot: bot.name,
    ...defined({ run: id.run }),
    behavior: behaviorOf(outcome),
    action: actionOf(outcome),
    ...defined({ attempt: reply.attempt }),
    ...roundOf(reply),
    ...(outcome.kind === "refused" ? fitRefusal(botRefusalMessage(outcome.refusal, bot.name)) : leadMessage(reply)),
    next: next === null ? null : { action: next.step, tool: toolOf(next.workflow), auto: next.auto },
  };
  const counted = { ...about, history, missing_evidence: undefined };
  const { left, ...beside } = fitExtras(
    { warnings: [...objection, ...warnings, ...warningTexts], ...defined({ kept }) },
    maxExtraTokens - estimateTokens(JSON.stringify(counted), maxExtraTokens),
  );
  // hosts that shorten a long reply keep both ends: the most important part comes first, the long part second to last
  return {
    // what a person said comes first
    ...(objection.length === 0 ? {} : { warnings: beside.warnings }),
    ...about,
    ...beside,
    ...defined({ checks: reply.checks }),
    ...(reply.runner === undefined ? {} : { waiting_for: "runner" as const }),
    instructions: [instructionsFor(reply, toolOf, named), ...warningsInFull(left)].filter(Boolean).join("\n\n"),
    history,
  };
}

/** The token budget for everything but instructions, gaps and checks: 300, less the field names. */
const maxExtraTokens = 290;

/** The warnings that did not fit: none that must be read is only counted. */
function warningsInFull(left: readonly string[]): readonly string[] {
  if (left.length === 0) return [];
  const shown = left.slice(0, 10).map((warning) => `- ${clip(warning, 600)}`);
  return [["Warnings:", ...shown, ...(left.length > 10 ? [`- and ${left.length - 10} more`] : [])].join("\n")];
}

/** Renders the same reply as text, for clients that show only that. */
export function botReplyText(answer: BotReply, form: ReplyForm): string {
  const place = [answer.bot, answer.behavior, answer.action].filter((part) => part !== null).join(".");
  const { run, attempt } = answer;
  const named = [
    ...(run === undefined ? [] : [`run ${run}`]),
    ...(attempt === undefined ? [] : [`attempt ${attempt}`]),
  ];
  const first = `[${answer.status}] ${place}${named.length === 0 ? "" : ` (${named.join(", ")})`}`;
  const no =
    answer.error === undefined
      ? answer.message === undefined
        ? []
        : [answer.message]
      : [`${answer.error}: ${answer.message ?? ""}`, answer.required_action ?? ""];
  if (form === "line") return [first, ...no].join(" ");
  const { count, last } = answer.history;
  const warned = answer.warnings.map((warning) => `Warning: ${warning}`);
  return [
    first,
    ...(answer.error === undefined ? [] : warned),
    ...no,
    ...(answer.missing_evidence ?? []).map((gap) => `- ${gap}`),
    ...(answer.checks ?? []).map(checkLine),
    ...(answer.error === undefined ? warned : []),
    ...keptLines(answer.kept),
    ...(answer.saved === undefined ? [] : [`Saved: ${answer.saved.join(", ")}`]),
    ...(answer.standards === undefined ? [] : [`Standards that fit: ${answer.standards.join(", ")}`]),
    ...(answer.instructions === "" ? [] : ["", answer.instructions]),
    ...(answer.next === null
      ? []
      : [
          "",
          `Call ${answer.next.tool}${answer.run === undefined ? "" : ` with run "${answer.run}"`} to open ${answer.next.action}.`,
        ]),
    ...(count === 0 ? [] : ["", `Completed so far: ${count}. Last: ${last.map(({ action }) => action).join(", ")}.`]),
  ].join("\n");
}

/** The kept submission as one line, if there is any. */
function keptLines({ outputs, content, more }: KeptSubmission = { outputs: [], content: [] }): readonly string[] {
  const named = [...outputs, ...content.map(({ path, bytes }) => `${path} (${bytes} bytes)`)];
  const left = (more?.outputs ?? 0) + (more?.content ?? 0);
  const all = left === 0 ? named : [...named, `${left} more`];
  return all.length === 0 ? [] : [`Kept: ${all.join(", ")}`];
}

function checkLine({ name, status, summary, output }: ReplyCheck): string {
  return `- check ${name} ${status}: ${summary}${output === undefined ? "" : `\n${output}`}`;
}

/** A person's answer comes first; if it does not fit here, the instructions have it in full. */
function leadMessage({ lead }: WordedReply): Pick<BotReply, "message"> {
  return lead === undefined ? {} : { message: clip(lead, maxMessageLength) };
}

/** The limit of a message outside the instructions, in characters. */
export const maxMessageLength = 300;

/** The limit of `kept` in tokens when nothing else is beside it. */
export const maxKeptTokens = 120;

function fitRefusal(refusal: RefusalMessage): RefusalMessage {
  return {
    ...refusal,
    message: clip(refusal.message, maxMessageLength),
    required_action: clip(refusal.required_action, 240),
  };
}

function statusOf({ kind }: Outcome): BotReply["status"] {
  switch (kind) {
    case "opened":
    case "aside_opened":
      return "started";
    case "finished":
      return "workflow_complete";
    case "awaiting":
    case "approved":
    case "blocked":
    case "at_bound":
      return "awaiting_human";
    case "aside_completed":
    case "archived":
    case "items":
    case "updated":
    case "checked":
      return "completed";
    case "unblocked":
    case "gone_back":
      return "review";
    case "interrupted":
    case "review":
    case "checking":
    case "completed":
    case "refused":
      return kind;
  }
}

function roundOf({ shown, outcome }: WordedReply): Pick<BotReply, "round" | "came_back_from" | "outcome" | "items"> {
  const { number: round, cameBackFrom } = shown?.round ?? {};
  const ended = outcome.kind === "finished" ? outcome.outcome : undefined;
  return defined({
    round,
    came_back_from: cameBackFrom?.step,
    outcome: ended,
    items: shown?.calls === undefined ? undefined : shownItems(shown),
  });
}

function behaviorOf(outcome: Outcome): string | null {
  if ("ref" in outcome && outcome.ref !== null) return outcome.ref.workflow;
  return "workflow" in outcome ? outcome.workflow : null;
}

function actionOf(outcome: Outcome): string | null {
  if ("step" in outcome) return outcome.step;
  if (outcome.kind === "refused") return outcome.current?.step ?? null;
  return "ref" in outcome ? (outcome.ref?.step ?? null) : null;
}
