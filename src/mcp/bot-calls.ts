import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Calling } from "../engine/caller.ts";
import type { Workplace } from "../engine/workplace.ts";
import { declinedAgain } from "../words/declined.ts";
import { type Kept, kept } from "../words/kept.ts";
import { handedSoFar } from "../workflow/desk.ts";
import { answerText, type TextForm } from "./answer-text.ts";
import { type BotAnswer, botAnswer, roomForKept } from "./bot-reply.ts";
import { defined } from "./defined.ts";
import { findTool } from "./find-tool.ts";
import { clip, fitKept, fitWarnings } from "./fit.ts";
import { meantBot } from "./meant-bot.ts";
import { aboutWhat, argumentProblem, completeArguments, openArguments } from "./schemas.ts";
import type { Called } from "./server.ts";
import { completeTool } from "./tool-catalog.ts";

/** How this connection is answered, and the bot that it used last. */
export type Connection = { readonly form: TextForm; readonly used: { bot?: string } };

/** Carries out a call of a bot's tool, a behavior's, or the one that completes. */
export async function callBotTool(
  workplace: Workplace,
  name: string,
  given: unknown,
  caller: Calling,
  connection: Connection,
): Promise<Called> {
  return name === completeTool
    ? complete(workplace, given, caller, connection)
    : open(workplace, name, given, caller, connection);
}

async function complete(
  workplace: Workplace,
  given: unknown,
  caller: Calling,
  { form, used }: Connection,
): Promise<Called> {
  const { bots, warnings } = await workplace.bots();
  const parsed = completeArguments.safeParse(given);
  if (!parsed.success) {
    const no = invalid(argumentProblem(parsed.error));
    const keeping = { kept: fitKept(await keptBefore(workplace, given, caller, used.bot), roomForKept) };
    return refused({ ...no, ...keeping }, warnings, form);
  }
  const { bot: named, behavior, action, ...handed } = parsed.data;
  const asked = { bot: named, lastUsed: used.bot };
  const meant = await meantBot(bots, workplace.engine, caller.id, asked);
  if ("unknown" in meant) return refused(invalid(meant.unknown), warnings, form);
  if ("open" in meant) return refused(ambiguous(meant.open), warnings, form);
  const { bot } = meant;
  used.bot = bot.name;
  const engine = await workplace.engine(bot.name);
  const reply = await engine.complete(caller, defined({ workflow: behavior, step: action, ...handed }));
  if (reply.question !== undefined) return { question: reply.question };
  return answered(botAnswer(bot, declinedAgain(reply), warnings, "complete"), form);
}

/** What is kept of the step that a call was about, though the call itself could not be read. */
async function keptBefore(
  workplace: Workplace,
  given: unknown,
  caller: Calling,
  lastUsed: string | undefined,
): Promise<Kept> {
  const { data = {} } = aboutWhat.safeParse(given);
  const meant = await meantBot((await workplace.bots()).bots, workplace.engine, caller.id, { bot: data.bot, lastUsed });
  if (!("bot" in meant)) return kept({});
  const desk = await (await workplace.engine(meant.bot.name)).glance();
  return kept(handedSoFar(desk, caller.id, data.behavior));
}

async function open(
  workplace: Workplace,
  name: string,
  given: unknown,
  caller: Calling,
  { form, used }: Connection,
): Promise<Called> {
  const { bots, warnings } = await workplace.bots();
  const found = findTool(bots, name);
  if (found === undefined) return refused(invalid(`there is no tool ${name}`), warnings, form);
  const parsed = openArguments.safeParse(given);
  if (!parsed.success) return refused(invalid(argumentProblem(parsed.error)), warnings, form);
  const { action: step, ...rest } = parsed.data;
  used.bot = found.bot.name;
  const engine = await workplace.engine(found.bot.name);
  const reply = await engine.open(caller, defined({ workflow: found.behavior, step, ...rest }));
  return answered(botAnswer(found.bot, reply, warnings, "open"), form);
}

function answered(answer: BotAnswer, form: TextForm): { readonly result: CallToolResult } {
  const isError = answer.status === "refused" && answer.error !== "incomplete_checkpoint";
  return {
    result: {
      content: [{ type: "text", text: answerText(answer, form) }],
      structuredContent: { ...answer },
      ...(isError ? { isError } : {}),
    },
  };
}

type No = Pick<BotAnswer, "error" | "message" | "required_action" | "kept">;

/** A no before any bot is reached. */
function refused(no: No, warnings: readonly string[], form: TextForm): Called {
  const answer: BotAnswer = {
    status: "refused",
    bot: null,
    behavior: null,
    action: null,
    ...no,
    warnings: fitWarnings(warnings),
    next: null,
    instructions: "",
    history: { count: 0, last: [] },
  };
  return answered(answer, form);
}

function invalid(problem: string): No {
  return {
    error: "invalid_input",
    message: clip(`Not taken: ${problem}.`, 300),
    required_action: "Correct the arguments and call again; nothing has changed.",
  };
}

function ambiguous(open: readonly string[]): No {
  return {
    error: "conflict",
    message: clip(
      `Actions of several bots are open on this connection: ${open.join(", ")}. Nothing of this call was kept.`,
      300,
    ),
    required_action: "Send it again with bot, behavior and action of the one that you mean.",
  };
}
