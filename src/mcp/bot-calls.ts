import type { CallToolResult } from "@modelcontextprotocol/server";
import type { CallerContext } from "../engine/caller.ts";
import type { ServedBot } from "../engine/ports/definitions.ts";
import type { Workplace } from "../engine/workplace.ts";
import { defined } from "../kit/defined.ts";
import { type KeptSubmission, listKept, wordReply } from "../messages/worded-reply.ts";
import { submittedSoFar } from "../workflow/stream-snapshot.ts";
import { type BotReply, botReplyText, maxKeptTokens, type ReplyForm, renderBotReply } from "./bot-reply.ts";
import type { CallResult } from "./call-result.ts";
import { findRun, type OpenAction, type UsedRuns } from "./find-run.ts";
import { findTool } from "./find-tool.ts";
import { clip, fitKept, fitWarnings } from "./fit.ts";
import { savedUris } from "./saved-content.ts";
import {
  argumentProblem,
  type ConnectionTraits,
  completeArguments,
  missingTextProblem,
  openArguments,
  readableNames,
} from "./schemas.ts";
import { completeTool } from "./tool-catalog.ts";

/** One connection: how replies are rendered, if Waymark sees its files, the runs it has used, and its default run by bot. */
export type Connection = ConnectionTraits & {
  readonly uses: UsedRuns;
  readonly unnamed: Map<string, string | undefined>;
};

/** Handles a call of a bot's tool, a behavior's tool, or `complete_action`. */
export async function callBotTool(
  workplace: Workplace,
  name: string,
  given: unknown,
  caller: CallerContext,
  connection: Connection,
): Promise<CallResult> {
  return name === completeTool
    ? complete(workplace, given, caller, connection)
    : open(workplace, name, given, caller, connection);
}

async function complete(
  workplace: Workplace,
  given: unknown,
  caller: CallerContext,
  { form, seesFiles, uses }: Connection,
): Promise<CallResult> {
  const { bots, warnings } = await workplace.bots();
  const parsed = completeArguments.safeParse(given);
  const problem = parsed.success
    ? missingTextProblem(seesFiles, parsed.data.content)
    : argumentProblem(parsed.error, completeArguments);
  if (!parsed.success || problem !== undefined) {
    const no = refuseArguments(problem ?? "");
    const keeping = { kept: fitKept(await keptBefore(workplace, given, caller, uses), maxKeptTokens) };
    return botRefused({ ...no, ...keeping }, warnings, form);
  }
  const { bot: named, run: asked, behavior, action, ...submitted } = parsed.data;
  const meant = await findRun(bots, workplace, caller.id, { bot: named, run: asked, behavior, action }, uses);
  if ("unknown" in meant) return botRefused({ ...refuseArguments(meant.unknown), ...keptNothing }, warnings, form);
  if ("open" in meant)
    return botRefused({ ...refuseAmbiguous(meant.open, bots.length > 1), ...keptNothing }, warnings, form);
  const { bot, run } = meant;
  const engine = await workplace.engine(bot.name, run);
  if (asked !== undefined && !(await engine.hasBegun()))
    return botRefused({ ...refuseNotBegun(bot, asked), ...keptNothing }, warnings, form);
  uses.note(bot.name, run);
  const reply = await engine.complete(caller, defined({ workflow: behavior, step: action, ...submitted }));
  if (reply.question !== undefined) return { question: reply.question };
  const saved = seesFiles ? {} : savedUris(reply, maxKeptTokens);
  return answered({ ...renderBotReply(bot, wordReply(reply), warnings, "complete"), ...saved }, form);
}

/** The submission kept at the step a call was about, even if the call could not be parsed. */
async function keptBefore(
  workplace: Workplace,
  given: unknown,
  caller: CallerContext,
  uses: UsedRuns,
): Promise<KeptSubmission> {
  const { data = {} } = readableNames.safeParse(given);
  const meant = await findRun((await workplace.bots()).bots, workplace, caller.id, data, uses);
  if (!("bot" in meant)) return listKept({});
  const stream = await (await workplace.engine(meant.bot.name, meant.run)).peek();
  return listKept(submittedSoFar(stream, caller.id, data.behavior));
}

async function open(
  workplace: Workplace,
  name: string,
  given: unknown,
  caller: CallerContext,
  { form, uses, unnamed }: Connection,
): Promise<CallResult> {
  const { bots, warnings } = await workplace.bots();
  const found = findTool(bots, name);
  if (found === undefined) return botRefused(await refuseUnknownTool(workplace, bots, name), warnings, form);
  const parsed = openArguments.safeParse(given);
  if (!parsed.success) return botRefused(refuseArguments(argumentProblem(parsed.error, openArguments)), warnings, form);
  const { action: step, run: asked, ...rest } = parsed.data;
  const here = await workplace.runHere(found.bot.name);
  const run = asked ?? here;
  const switched = asked === undefined ? otherBranch(unnamed, found.bot.name, here) : [];
  uses.note(found.bot.name, run);
  const engine = await workplace.engine(found.bot.name, run);
  const reply = await engine.open(caller, defined({ workflow: found.behavior, step, ...rest }));
  if (reply.question !== undefined) return { question: reply.question };
  return answered(renderBotReply(found.bot, wordReply(reply), [...warnings, ...switched], "open", run !== here), form);
}

/** Warns once that the worktree is on another branch, which is another run. */
function otherBranch(unnamed: Connection["unnamed"], bot: string, here: string | undefined): readonly string[] {
  const before = unnamed.get(bot);
  unnamed.set(bot, here);
  if (before === undefined || here === undefined || before === here) return [];
  return [
    `This worktree's branch has changed since your last call: this is run ${here}. Your earlier work is in run ${before}; name that run to continue it.`,
  ];
}

function answered(answer: BotReply, form: ReplyForm): { readonly result: CallToolResult } {
  const isError = answer.status === "refused" && answer.error !== "incomplete_checkpoint";
  return {
    result: {
      content: [{ type: "text", text: botReplyText(answer, form) }],
      structuredContent: { ...answer },
      ...(isError ? { isError } : {}),
    },
  };
}

type Refused = Pick<BotReply, "error" | "message" | "required_action" | "kept">;

const keptNothing = { kept: listKept({}) };

/** A refusal before any bot is reached. */
export function botRefused(no: Refused, warnings: readonly string[], form: ReplyForm): CallResult {
  const answer: BotReply = {
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

function refuseArguments(problem: string): Refused {
  return {
    error: "invalid_input",
    message: clip(`Not accepted: ${problem}.`, 300),
    required_action: "Correct the arguments and call again; nothing has changed.",
  };
}

/** Refuses an unknown tool; if it is the name of an action, says how to call that. */
async function refuseUnknownTool(workplace: Workplace, bots: readonly ServedBot[], name: string): Promise<Refused> {
  for (const bot of bots) {
    const { plan } = await (await workplace.engine(bot.name)).overview();
    const workflow = plan.workflows.find(({ steps }) => steps.some((step) => step.name === name));
    const tool = bot.behaviors.find((behavior) => behavior.name === workflow?.name)?.tool ?? bot.tool;
    if (workflow === undefined && !plan.independent.includes(name)) continue;
    return {
      error: "invalid_input",
      message: clip(`Not accepted: there is no tool ${name}; it is an action of ${bot.name}.`, 300),
      required_action: `Call ${tool} with action "${name}".`,
    };
  }
  return refuseArguments(`there is no tool ${name}`);
}

function refuseAmbiguous(open: readonly OpenAction[], severalBots: boolean): Refused {
  const said = open.map(({ bot, run, behavior, action }) => {
    const place = [...(severalBots ? [bot.name] : []), ...(behavior === undefined ? [] : [behavior]), action].join(".");
    return run === undefined ? place : `${place} (run ${run})`;
  });
  return {
    error: "conflict",
    message: clip(
      `Several actions are open on this connection: ${said.join(", ")}. Nothing from this call was kept.`,
      300,
    ),
    required_action:
      "Send it again with the run, behavior and action you mean; for the default run, with bot, behavior and action.",
  };
}

function refuseNotBegun({ tool }: ServedBot, run: string): Refused {
  return {
    error: "action_sequence_violation",
    message: `Nothing is started in run ${run}, so there is nothing to complete.`,
    required_action: `Call ${tool} with run "${run}" to open its first action.`,
  };
}
