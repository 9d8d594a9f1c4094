import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { ServedBot } from "../engine/ports/definitions.ts";
import type { Workplace } from "../engine/workplace.ts";
import { defined } from "../kit/defined.ts";
import { type KeptSubmission, listKept, wordReply } from "../messages/worded-reply.ts";
import { submittedSoFar } from "../workflow/stream-snapshot.ts";
import { type BotReply, botOutput, botReplyText, maxKeptTokens, type ReplyForm, renderBotReply } from "./bot-reply.ts";
import type { CallResult } from "./call-result.ts";
import { findRun, type OpenAction, runKey } from "./find-run.ts";
import { clip, fitKept } from "./fit.ts";
import { fittingStandards } from "./fitting-standards.ts";
import { savedUris } from "./saved-content.ts";
import { attempt, confirmation, files, object, readableNames, run, textUpTo } from "./schemas.ts";
import {
  defineTool,
  invalidArguments,
  type RefusedCall,
  type RegisteredTool,
  type ToolCall,
  type ToolFamily,
} from "./tool.ts";

/** The tools of bots. */
export const botReplies: ToolFamily = {
  replies: botOutput,
  refuse: botRefused,
};

/** The tool that completes an action of any bot. */
export const completeAction = defineTool({
  title: "Complete the open action",
  description:
    "Complete the open action and submit its results. Replies with what comes next. Unless the action continues by itself, a person must approve first: pass their own words as confirmation. If it can't be done, say why in blocked; never invent evidence or approval.",
  input: z.strictObject({
    outputs: object.optional().describe("Answers, decisions, results by name"),
    content: files.optional().describe("Files to save in the project; without text, an existing file"),
    evidence: object.optional().describe("What the gate asks for"),
    confirmation: confirmation.optional().describe("The human's own words"),
    blocked: z.string().optional(),
    bot: textUpTo(200).optional(),
    run: run.optional().describe("The run the action was opened with"),
    behavior: textUpTo(200).optional(),
    action: textUpTo(200).optional(),
    attempt: attempt.optional().describe("From the reply that opened it"),
  }),
  use: "work",
  isLoadedFirst: true,
  family: botReplies,
  keptBefore: async (call) => fitKept(await keptBefore(call), maxKeptTokens),
  async call(args, { workplace, caller, form, seesFiles, uses }) {
    const { bots } = await workplace.bots();
    const { bot: named, run: asked, behavior, action, ...submitted } = args;
    const meant = await findRun(
      bots,
      workplace,
      caller.id,
      { bot: named, run: asked, behavior, action, attempt: submitted.attempt },
      uses,
    );
    const refuse = (no: RefusedCall): CallResult => botRefused({ ...no, kept: listKept({}) }, form);
    if ("unknown" in meant) return refuse(invalidArguments(meant.unknown));
    if ("open" in meant) return refuse(refuseAmbiguous(meant.open, bots.length > 1));
    const { bot, run, read } = meant;
    const engine = await workplace.engine(bot.name, run);
    if (asked !== undefined && !(await engine.hasBegun())) return refuse(refuseNotBegun(bot, asked));
    uses.note(bot.name, run);
    const request = defined({ workflow: behavior, step: action, ...submitted });
    if (run !== undefined && asked === undefined && caller.mayArriveLate === true) {
      const here = await workplace.runHere(bot.name);
      const stream = read.get(runKey(bot.name, here))?.stream;
      const isCopy =
        run !== here && (await (await workplace.engine(bot.name, here)).isLateCopy(caller, request, stream));
      if (isCopy) return refuse(refuseLateCopy(run));
    }
    const reply = await engine.complete(caller, request, read.get(runKey(bot.name, run)));
    if (reply.question !== undefined) return { question: reply.question };
    const saved = seesFiles ? {} : savedUris(reply, maxKeptTokens);
    return answered({ ...renderBotReply(bot, wordReply(reply), [], "complete"), ...saved }, form);
  },
});

/** The submission kept at the step a call was about, even if the call could not be parsed. */
async function keptBefore({ workplace, given, caller, uses }: ToolCall): Promise<KeptSubmission> {
  const { data = {} } = readableNames.safeParse(given);
  const meant = await findRun((await workplace.bots()).bots, workplace, caller.id, data, uses);
  if (!("bot" in meant)) return listKept({});
  const stream = await (await workplace.engine(meant.bot.name, meant.run)).peek();
  return listKept(submittedSoFar(stream, caller.id, data.behavior));
}

/** The tools that open the actions of these bots. */
export function showOpenings(bots: readonly ServedBot[]): Tool[] {
  return bots.flatMap((bot) =>
    [bot.tool, ...bot.behaviors.map(({ tool }) => tool)].flatMap((name) => findOpening(bots, name)?.show(name) ?? []),
  );
}

/** Finds the tool of this name that opens the actions of a bot, or of one behavior. */
export function findOpening(bots: readonly ServedBot[], name: string): RegisteredTool | undefined {
  for (const bot of bots) {
    if (bot.tool === name) {
      const title = words(bot.name);
      const description = `Begin or resume the ${title}: go to its current action. ${bot.description}`.trim();
      return openingTool({ bot, title, description, isLoadedFirst: true });
    }
    const found = bot.behaviors.find(({ tool }) => tool === name);
    if (found === undefined) continue;
    const title = `${words(bot.name)}: ${words(found.name)}`;
    const description = `Go to ${words(found.name)}. ${found.description}`.trim();
    return openingTool({ bot, behavior: found.name, title, description, isLoadedFirst: false });
  }
  return undefined;
}

/** Spells a name as words: hosts search descriptions by word, and an underscored name is one word to them. */
function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** The arguments of a bot's or behavior's tool. */
const opening = z.strictObject({
  run: run.optional(),
  action: textUpTo(200).optional(),
  part: textUpTo(200).optional(),
  resume: z.enum(["retry", "continue", "restart"]).optional(),
  inputs: object.optional(),
  confirmation: confirmation.optional(),
});

function openingTool({
  bot,
  behavior,
  ...seen
}: {
  readonly bot: ServedBot;
  readonly behavior?: string;
  readonly title: string;
  readonly description: string;
  readonly isLoadedFirst: boolean;
}): RegisteredTool {
  return defineTool({
    ...seen,
    input: opening,
    use: "work",
    family: botReplies,
    async call({ action: step, run: asked, ...rest }, { workplace, caller, form, uses, unnamed }) {
      const here = await workplace.runHere(bot.name);
      const run = asked ?? here;
      const switched = asked === undefined ? otherBranch(unnamed, bot.name, here) : [];
      uses.note(bot.name, run);
      const engine = await workplace.engine(bot.name, run);
      const reply = await engine.open(caller, defined({ workflow: behavior, step, ...rest }));
      if (reply.question !== undefined) return { question: reply.question };
      const rendered = renderBotReply(bot, wordReply(reply), switched, "open", run !== here);
      return answered({ ...rendered, ...(await fittingStandards(workplace.standards, reply)) }, form);
    },
  });
}

/** A tool for a name that no tool has: it refuses every call. */
export function unknownTool(name: string): RegisteredTool {
  return defineTool({
    title: name,
    description: "",
    input: z.looseObject({}),
    use: "work",
    family: botReplies,
    async call(_, { workplace, form }) {
      const { bots } = await workplace.bots();
      return botRefused(await refuseUnknownTool(workplace, bots, name), form);
    },
  });
}

/** Warns once that the worktree is on another branch, which is another run. */
function otherBranch(unnamed: ToolCall["unnamed"], bot: string, here: string | undefined): readonly string[] {
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

/** A refusal before any bot is reached. */
function botRefused(no: RefusedCall, form: ReplyForm): CallResult {
  const answer: BotReply = {
    status: "refused",
    bot: null,
    behavior: null,
    action: null,
    ...no,
    warnings: [],
    next: null,
    instructions: "",
    history: { count: 0, last: [] },
  };
  return answered(answer, form);
}

/** Refuses an unknown tool; if it is the name of an action, says how to call that. */
async function refuseUnknownTool(
  workplace: Pick<Workplace, "engine">,
  bots: readonly ServedBot[],
  name: string,
): Promise<RefusedCall> {
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
  return invalidArguments(`there is no tool ${name}`);
}

function refuseAmbiguous(open: readonly OpenAction[], severalBots: boolean): RefusedCall {
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

/** A call without `run` that completed a step of the default run must not complete one of another run. */
function refuseLateCopy(run: string): RefusedCall {
  return {
    error: "conflict",
    message: `You completed an action of the default run with the same arguments, so this may be that call arriving late; now an action of run ${run} is open. Nothing from this call was kept.`,
    required_action: `If it is for run ${run}, send it again with that run and the attempt of the reply that opened the action.`,
  };
}

function refuseNotBegun({ tool }: ServedBot, run: string): RefusedCall {
  return {
    error: "action_sequence_violation",
    message: `Nothing is started in run ${run}, so there is nothing to complete.`,
    required_action: `Call ${tool} with run "${run}" to open its first action.`,
  };
}
