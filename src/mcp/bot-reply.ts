import type { ServedBot } from "../engine/ports.ts";
import { botRefusal } from "../words/bots.ts";
import type { SaidCheck } from "../words/checks.ts";
import type { RefusalWords } from "../words/codes.ts";
import type { InWords, Kept } from "../words/reply.ts";
import type { Outcome } from "../workflow/outcome.ts";
import { instructionsFor } from "./bot-instructions.ts";
import { clip, fitBeside } from "./fit.ts";
import { guessTokens } from "./guess-tokens.ts";

/** What every tool of a bot answers with. */
export type BotAnswer = {
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
  readonly instructions: string;
  readonly next: { readonly action: string; readonly tool: string; readonly auto: boolean } | null;
  readonly history: {
    readonly count: number;
    readonly last: readonly { readonly action: string; readonly at: string }[];
  };
  readonly warnings: readonly string[];
  readonly kept?: Kept;
  /** Where the files of a completed action are read back, for callers who do not see them. */
  readonly saved?: readonly string[];
  readonly checks?: readonly SaidCheck[];
} & Partial<RefusalWords>;

/** How much of an answer its text repeats: all of it, or, where a host shows structured content as well, one line. */
export type TextForm = "whole" | "line";

/** What the caller wanted: an answer to a completion says what is kept where it does not complete. */
export type Wanted = "open" | "complete";

/** Puts a reply into the words of bots: status, place, instructions, what comes next. `named`: the run is one that calls must name. */
export function botAnswer(
  bot: ServedBot,
  reply: InWords,
  warnings: readonly string[],
  wanted: Wanted,
  named = false,
): BotAnswer {
  const { outcome, desk, id, said } = reply;
  const toolOf = (behavior: string): string => bot.behaviors.find(({ name }) => name === behavior)?.tool ?? bot.tool;
  const next = outcome.kind === "completed" ? outcome.next : null;
  const kept = wanted === "complete" ? reply.kept : undefined;
  const objection = outcome.kind === "refused" && reply.rejection !== undefined ? [reply.rejection] : [];
  const history = {
    count: desk.completedCount,
    last: desk.recent.slice(-5).map(({ workflow, step, timestamp }) => ({
      action: clip(`${workflow}.${step}`, 80),
      at: timestamp.replace(/\.\d+Z$/, "Z"),
    })),
  };
  const about = {
    status: statusOf(outcome),
    bot: bot.name,
    ...(id.run === undefined ? {} : { run: id.run }),
    behavior: behaviorOf(outcome),
    action: actionOf(outcome),
    ...(outcome.kind === "refused" ? fitRefusal(botRefusal(outcome.refusal, bot.name)) : objectedTo(reply)),
    next: next === null ? null : { action: next.step, tool: toolOf(next.workflow), auto: next.auto },
  };
  const counted = { ...about, history, missing_evidence: undefined };
  const { left, ...beside } = fitBeside(
    { warnings: [...objection, ...warnings, ...said], ...(kept === undefined ? {} : { kept }) },
    mostBeside - guessTokens(JSON.stringify(counted), mostBeside),
  );
  // Hosts that shorten a long answer keep its two ends: what matters most stands first, the long part last but one.
  return {
    ...about,
    ...beside,
    ...(reply.checks === undefined ? {} : { checks: reply.checks }),
    instructions: [instructionsFor(reply, toolOf, named), ...wholeWarnings(left)].filter(Boolean).join("\n\n"),
    history,
  };
}

/** Everything but instructions, gaps and checks has to fit into 300 tokens, the names of the fields among them. */
const mostBeside = 290;

/** What had no room among the warnings: nothing that must be read is only counted. */
function wholeWarnings(left: readonly string[]): readonly string[] {
  if (left.length === 0) return [];
  const shown = left.slice(0, 10).map((warning) => `- ${clip(warning, 600)}`);
  return [["Warnings:", ...shown, ...(left.length > 10 ? [`- and ${left.length - 10} more`] : [])].join("\n")];
}

/** The same answer as readable text, for clients that show only that. */
export function answerText(answer: BotAnswer, form: TextForm): string {
  const place = [answer.bot, answer.behavior, answer.action].filter((part) => part !== null).join(".");
  const first = `[${answer.status}] ${place}${answer.run === undefined ? "" : ` (run ${answer.run})`}`;
  const no =
    answer.error === undefined
      ? answer.message === undefined
        ? []
        : [answer.message]
      : [`${answer.error}: ${answer.message ?? ""}`, answer.required_action ?? ""];
  if (form === "line") return [first, ...no].join(" ");
  const { count, last } = answer.history;
  return [
    first,
    ...no,
    ...(answer.missing_evidence ?? []).map((gap) => `- ${gap}`),
    ...(answer.checks ?? []).map(checkLine),
    ...answer.warnings.map((warning) => `Warning: ${warning}`),
    ...keptLines(answer.kept),
    ...(answer.saved === undefined ? [] : [`Saved: ${answer.saved.join(", ")}`]),
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

/** What stays handed in, as a line; nothing where nothing was. */
function keptLines({ outputs, content, more }: Kept = { outputs: [], content: [] }): readonly string[] {
  const named = [...outputs, ...content.map(({ path, bytes }) => `${path} (${bytes} bytes)`)];
  const left = (more?.outputs ?? 0) + (more?.content ?? 0);
  const all = left === 0 ? named : [...named, `${left} more`];
  return all.length === 0 ? [] : [`Kept: ${all.join(", ")}`];
}

function checkLine({ name, status, summary, output }: SaidCheck): string {
  return `- check ${name} ${status}: ${summary}${output === undefined ? "" : `\n${output}`}`;
}

/** What a person objects to comes before everything else; the instructions say it whole, where it has no room here. */
function objectedTo({ rejection }: InWords): Pick<BotAnswer, "message"> {
  return rejection === undefined ? {} : { message: clip(rejection, roomForMessage) };
}

/** So much of a message is shown outside the instructions. */
export const roomForMessage = 300;

/** In tokens, where nothing else is said beside it. */
export const roomForKept = 120;

function fitRefusal(refusal: RefusalWords): RefusalWords {
  return {
    ...refusal,
    message: clip(refusal.message, roomForMessage),
    required_action: clip(refusal.required_action, 240),
  };
}

function statusOf({ kind }: Outcome): BotAnswer["status"] {
  switch (kind) {
    case "opened":
    case "aside_opened":
      return "started";
    case "finished":
      return "workflow_complete";
    case "awaiting":
    case "approved":
      return "awaiting_human";
    case "aside_completed":
    case "archived":
    case "checked":
      return "completed";
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

function behaviorOf(outcome: Outcome): string | null {
  if ("ref" in outcome && outcome.ref !== null) return outcome.ref.workflow;
  return "workflow" in outcome ? outcome.workflow : null;
}

function actionOf(outcome: Outcome): string | null {
  if ("step" in outcome) return outcome.step;
  if (outcome.kind === "refused") return outcome.current?.step ?? null;
  return "ref" in outcome ? (outcome.ref?.step ?? null) : null;
}
