import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Calling } from "../engine/caller.ts";
import type { ServedBot } from "../engine/ports.ts";
import { inWords, type Kept, kept } from "../words/reply.ts";
import { handedSoFar } from "../workflow/desk.ts";
import type { Workplace } from "../workplace.ts";
import { answerText, type BotAnswer, botAnswer, roomForKept, type TextForm } from "./bot-reply.ts";
import { defined } from "./defined.ts";
import { findTool } from "./find-tool.ts";
import { clip, fitKept, fitWarnings } from "./fit.ts";
import { meantDesk, type OpenStep, type Uses } from "./meant-desk.ts";
import { savedBy } from "./saved-content.ts";
import { aboutWhat, argumentProblem, completeArguments, type Door, openArguments, unseenFiles } from "./schemas.ts";
import type { Called } from "./server.ts";
import { completeTool } from "./tool-catalog.ts";

/** How this connection is answered, whether its files lie where Waymark sees them, the runs that it has used, and which was meant without a name, by bot. */
export type Connection = Door & {
  readonly uses: Uses;
  readonly unnamed: Map<string, string | undefined>;
};

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
  { form, seesFiles, uses }: Connection,
): Promise<Called> {
  const { bots, warnings } = await workplace.bots();
  const parsed = completeArguments.safeParse(given);
  const problem = parsed.success
    ? unseenFiles(seesFiles, parsed.data.content)
    : argumentProblem(parsed.error, completeArguments);
  if (!parsed.success || problem !== undefined) {
    const no = invalid(problem ?? "");
    const keeping = { kept: fitKept(await keptBefore(workplace, given, caller, uses), roomForKept) };
    return refused({ ...no, ...keeping }, warnings, form);
  }
  const { bot: named, run: asked, behavior, action, ...handed } = parsed.data;
  const meant = await meantDesk(bots, workplace, caller.id, { bot: named, run: asked, behavior, action }, uses);
  if ("unknown" in meant) return refused({ ...invalid(meant.unknown), ...nothingKept }, warnings, form);
  if ("open" in meant) return refused({ ...ambiguous(meant.open, bots.length > 1), ...nothingKept }, warnings, form);
  const { bot, run } = meant;
  const engine = await workplace.engine(bot.name, run);
  if (asked !== undefined && !(await engine.hasBegun()))
    return refused({ ...neverBegun(bot, asked), ...nothingKept }, warnings, form);
  uses.note(bot.name, run);
  const reply = await engine.complete(caller, defined({ workflow: behavior, step: action, ...handed }));
  if (reply.question !== undefined) return { question: reply.question };
  const saved = seesFiles ? {} : savedBy(reply, roomForKept);
  return answered({ ...botAnswer(bot, inWords(reply), warnings, "complete"), ...saved }, form);
}

/** What is kept of the step that a call was about, though the call itself could not be read. */
async function keptBefore(workplace: Workplace, given: unknown, caller: Calling, uses: Uses): Promise<Kept> {
  const { data = {} } = aboutWhat.safeParse(given);
  const meant = await meantDesk((await workplace.bots()).bots, workplace, caller.id, data, uses);
  if (!("bot" in meant)) return kept({});
  const desk = await (await workplace.engine(meant.bot.name, meant.run)).glance();
  return kept(handedSoFar(desk, caller.id, data.behavior));
}

async function open(
  workplace: Workplace,
  name: string,
  given: unknown,
  caller: Calling,
  { form, uses, unnamed }: Connection,
): Promise<Called> {
  const { bots, warnings } = await workplace.bots();
  const found = findTool(bots, name);
  if (found === undefined) return refused(await noTool(workplace, bots, name), warnings, form);
  const parsed = openArguments.safeParse(given);
  if (!parsed.success) return refused(invalid(argumentProblem(parsed.error, openArguments)), warnings, form);
  const { action: step, run: asked, ...rest } = parsed.data;
  const here = await workplace.runHere(found.bot.name);
  const run = asked ?? here;
  const switched = asked === undefined ? otherBranch(unnamed, found.bot.name, here) : [];
  uses.note(found.bot.name, run);
  const engine = await workplace.engine(found.bot.name, run);
  const reply = await engine.open(caller, defined({ workflow: found.behavior, step, ...rest }));
  if (reply.question !== undefined) return { question: reply.question };
  return answered(botAnswer(found.bot, inWords(reply), [...warnings, ...switched], "open", run !== here), form);
}

/** A work tree that is on another branch than before is another run: said once. */
function otherBranch(unnamed: Connection["unnamed"], bot: string, here: string | undefined): readonly string[] {
  const before = unnamed.get(bot);
  unnamed.set(bot, here);
  if (before === undefined || here === undefined || before === here) return [];
  return [
    `The branch of this work tree has changed since your last call: this is run ${here}. What you began is in run ${before}; name it to go on there.`,
  ];
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

const nothingKept = { kept: kept({}) };

/** A no before any bot is reached. */
export function refused(no: No, warnings: readonly string[], form: TextForm): Called {
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

/** No to a tool that is not there; whoever called an action by its name is told how an action is called. */
async function noTool(workplace: Workplace, bots: readonly ServedBot[], name: string): Promise<No> {
  for (const bot of bots) {
    const { plan } = await (await workplace.engine(bot.name)).map();
    const workflow = plan.workflows.find(({ steps }) => steps.some((step) => step.name === name));
    const tool = bot.behaviors.find((behavior) => behavior.name === workflow?.name)?.tool ?? bot.tool;
    if (workflow === undefined && !plan.independent.includes(name)) continue;
    return {
      error: "invalid_input",
      message: clip(`Not taken: there is no tool ${name}; it is an action of ${bot.name}.`, 300),
      required_action: `Call ${tool} with action "${name}".`,
    };
  }
  return invalid(`there is no tool ${name}`);
}

function ambiguous(open: readonly OpenStep[], severalBots: boolean): No {
  const said = open.map(({ bot, run, behavior, action }) => {
    const place = [...(severalBots ? [bot.name] : []), ...(behavior === undefined ? [] : [behavior]), action].join(".");
    return run === undefined ? place : `${place} (run ${run})`;
  });
  return {
    error: "conflict",
    message: clip(
      `Several actions are open on this connection: ${said.join(", ")}. Nothing of this call was kept.`,
      300,
    ),
    required_action:
      "Send it again with run, behavior and action of the one that you mean; for one without run, with bot, behavior and action.",
  };
}

function neverBegun({ tool }: ServedBot, run: string): No {
  return {
    error: "action_sequence_violation",
    message: `Nothing is started in run ${run}, so there is nothing to complete.`,
    required_action: `Call ${tool} with run "${run}" to open its first action.`,
  };
}
