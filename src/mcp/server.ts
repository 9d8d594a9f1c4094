import { type CallToolResult, type InputRequiredResult, inputRequired, Server } from "@modelcontextprotocol/server";
import type { Reply } from "../engine/reply.ts";
import type { Workplace } from "../engine/workplace.ts";
import { answerText } from "./answer-text.ts";
import { askThrough, type Era, questionState, wordKey, wordSchema } from "./ask.ts";
import { type BotAnswer, botAnswer } from "./bot-reply.ts";
import { openSessions } from "./bot-sessions.ts";
import { defined } from "./defined.ts";
import { findTool } from "./find-tool.ts";
import { clip, fitWarnings } from "./fit.ts";
import { callPhaseTool, isPhaseTool } from "./phase-calls.ts";
import { listPhaseTools } from "./phase-tools.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, readResource } from "./resources.ts";
import { argumentProblem, completeArguments, openArguments } from "./schemas.ts";
import { callSearch, listSearchTools, searchTool } from "./search-tool.ts";
import { serverInstructions } from "./server-instructions.ts";
import { completeTool, listTools } from "./tool-catalog.ts";

export type ServerOptions = {
  readonly workplace: Workplace;
  readonly era: Era;
  readonly version: string;
  /** Names this connection in the history. */
  readonly connection: string;
  /** How long a call may wait for a person. */
  readonly patienceMs: number;
};

/** One MCP server for one connection: tools, prompts and resources over the same engines. */
export function createServer(options: ServerOptions): Server {
  const { workplace, era, version } = options;
  const server = new Server(
    { name: "waymark", title: "Waymark", version },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: serverInstructions(workplace) },
  );
  const sessions = openSessions(options.connection);
  const connection = { id: options.connection, unanswered: new Set<string>() };
  server.setRequestHandler("tools/list", async () => ({
    tools: [
      ...listTools(workplace.bots().bots),
      ...(await listPhaseTools(workplace.phased)),
      ...listSearchTools(workplace.standards),
    ],
  }));
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    const ask = askThrough(server, era, ctx, options.patienceMs);
    if (isPhaseTool(params.name)) {
      const call = await callPhaseTool(workplace.phased, params.name, params.arguments ?? {}, connection, ask);
      return "question" in call ? question(call.question) : call.result;
    }
    if (params.name === searchTool) return callSearch(workplace.standards, params.arguments ?? {});
    const { bots, warnings } = workplace.bots();
    if (params.name === completeTool) {
      const parsed = completeArguments.safeParse(params.arguments ?? {});
      if (!parsed.success) return invalid(argumentProblem(parsed.error), warnings);
      const { bot: named, behavior, action, ...handed } = parsed.data;
      const bot = sessions.meant(bots, named);
      if (bot === undefined)
        return invalid(
          `bot: no bot ${named ?? "is served"}; there are ${bots.map(({ name }) => name).join(", ")}`,
          warnings,
        );
      const request = defined({ workflow: behavior, step: action, ...handed });
      const reply = await workplace.engine(bot.name).complete(sessions.of(bot), request, ask);
      if (reply.question !== undefined) return question(reply.question);
      return result(botAnswer(bot, reply, warnings));
    }
    const found = findTool(bots, params.name);
    if (found === undefined) return invalid(`there is no tool ${params.name}`, warnings);
    const parsed = openArguments.safeParse(params.arguments ?? {});
    if (!parsed.success) return invalid(argumentProblem(parsed.error), warnings);
    const { action: step, ...rest } = parsed.data;
    const reply: Reply = await workplace
      .engine(found.bot.name)
      .open(sessions.of(found.bot), defined({ workflow: found.behavior, step, ...rest }));
    return result(botAnswer(found.bot, reply, warnings));
  });
  server.setRequestHandler("prompts/list", () => ({ prompts: listPrompts(workplace) }));
  server.setRequestHandler("prompts/get", ({ params }) => getPrompt(workplace, params.name));
  server.setRequestHandler("resources/list", async () => ({ resources: await listResources(workplace) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", ({ params }) => readResource(workplace, params.uri));
  return server;
}

function result(answer: BotAnswer): CallToolResult {
  const isError = answer.status === "refused" && answer.error !== "incomplete_checkpoint";
  return {
    content: [{ type: "text", text: answerText(answer) }],
    structuredContent: { ...answer },
    ...(isError ? { isError } : {}),
  };
}

function invalid(problem: string, warnings: readonly string[]): CallToolResult {
  return result({
    status: "refused",
    bot: null,
    behavior: null,
    action: null,
    instructions: "",
    next: null,
    history: { count: 0, last: [] },
    warnings: fitWarnings(warnings),
    error: "invalid_input",
    message: clip(`Not taken: ${problem}.`, 300),
    required_action: "Correct the arguments and call again; nothing has changed.",
  });
}

function question(text: string): InputRequiredResult {
  const { type, properties } = wordSchema;
  return inputRequired({
    inputRequests: {
      [wordKey]: inputRequired.elicit({ message: text, requestedSchema: { type, properties: { ...properties } } }),
    },
    requestState: questionState(text),
  });
}
