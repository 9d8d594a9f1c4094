import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type jsonSchemaValidator,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { Asked, Calling } from "../engine/caller.ts";
import type { RefusalWords } from "../words/codes.ts";
import { questionFor } from "../words/question.ts";
import type { Caller } from "../workflow/command.ts";
import type { Workplace } from "../workplace.ts";
import { askThrough, type Era, patienceOf, questionState, wordForm, wordKey } from "./ask.ts";
import { elsewhereThrough, type OpenPage } from "./ask-elsewhere.ts";
import { callBotTool } from "./bot-calls.ts";
import type { TextForm } from "./bot-reply.ts";
import { usesHere, usesOnRecord } from "./meant-desk.ts";
import { noTo, whileThereIsRoom } from "./no-room.ts";
import { callPhaseTool, isPhaseTool } from "./phase-calls.ts";
import { listPhaseTools } from "./phase-tools.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";
import { callSearch, listSearchTools, searchTool } from "./search-tool.ts";
import { serverInstructions } from "./server-instructions.ts";
import { listTools } from "./tool-catalog.ts";

export type ServerOptions = {
  readonly workplace: Workplace;
  readonly era: Era;
  readonly version: string;
  /** Names this connection in the history. */
  readonly connection: string;
  /** How long a call may wait for a person. */
  readonly patienceMs: number;
  /** Whoever calls, where the door knows more of them than their connection. */
  readonly visitor?: Visitor;
  /** Opens a page for the person, where a form cannot be enough and their client can show one. */
  readonly openPage?: OpenPage;
  /** What is known of a host by the name that its client gives itself; where nobody says, it gets everything. */
  readonly hostTraits?: (client: string | undefined) => HostTraits;
};

/** Somebody who calls from elsewhere: by what name, what they may do, and how long what they began counts as theirs. */
export type Visitor = Pick<Caller, "name" | "forgetsAfter" | "corrects"> & {
  /** The no to a tool that they may not use. */
  forbids(tool: string): RefusalWords | undefined;
};

/** How much text goes beside structured content, and whether a form asks for a comment as well. */
export type HostTraits = { readonly text: TextForm; readonly comment: boolean };

const everything: HostTraits = { text: "whole", comment: true };

/** What a call comes to: a result, or a question that the client must put to a person first. */
export type Called = { readonly result: CallToolResult } | { readonly question: Asked };

/** One MCP server for one connection: tools, prompts and resources over the same engines. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { workplace, era, version, visitor, hostTraits = () => everything } = options;
  const instructions = await serverInstructions(workplace);
  const server = new Server(
    { name: "waymark", title: "Waymark", version },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions, jsonSchemaValidator: formsAsTheyCome },
  );
  const uses = visitor === undefined ? usesHere() : usesOnRecord(workplace, options.connection);
  const unnamed = new Map<string, string | undefined>();
  const seesFiles = visitor === undefined;
  /** The workplace for one request, whichever it is: what was found out for another is asked anew. */
  const begun = (): Workplace => {
    workplace.begin();
    return workplace;
  };
  server.setRequestHandler("tools/list", async () => {
    const { bots, sessions, standards } = begun();
    return {
      tools: [
        ...listTools((await bots()).bots),
        ...(await listPhaseTools(sessions)),
        ...(await listSearchTools(standards)),
      ],
    };
  });
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    begun();
    const client = clientOf(server, era, ctx);
    const { text: form, comment } = hostTraits(client?.name);
    const { openPage } = options;
    const patience = patienceOf(options.patienceMs);
    const elsewhere = openPage && elsewhereThrough(server, era, ctx, { patience, openPage });
    const caller = {
      ...(visitor === undefined ? {} : aboutVisitor(visitor)),
      id: options.connection,
      ...(client === undefined ? {} : { client: `${client.name} ${client.version}`.trim().slice(0, 200) }),
      ...progressOf(ctx),
      ask: afterwards(askThrough(server, era, ctx, { patience, comment }), workplace.begin),
      askElsewhere: afterwards(elsewhere?.askElsewhere, workplace.begin),
    };
    const given = params.arguments ?? {};
    const forbidden = visitor?.forbids(params.name);
    if (forbidden !== undefined) return resultOf(noTo(params.name, forbidden, form), comment);
    const called = await whileThereIsRoom(params.name, form, async () => {
      if (params.name === searchTool) return { result: await callSearch(workplace.standards, given, form) };
      return isPhaseTool(params.name)
        ? callPhaseTool(workplace.sessions, params.name, given, caller, { form, seesFiles })
        : callBotTool(workplace, params.name, given, caller, { form, seesFiles, uses, unnamed });
    });
    return "question" in called
      ? (elsewhere?.question(called.question) ?? resultOf(called, comment))
      : resultOf(called, comment);
  });
  server.setRequestHandler("prompts/list", async () => ({ prompts: await listPrompts(begun()) }));
  server.setRequestHandler("prompts/get", ({ params }) => getPrompt(begun(), params.name, params.arguments ?? {}));
  server.setRequestHandler("resources/list", async () => ({ resources: await listResources(begun()) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", ({ params }) => readResource(begun(), params.uri));
  return server;
}

function aboutVisitor({ name, forgetsAfter, corrects }: Visitor): Omit<Caller, "id"> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(forgetsAfter === undefined ? {} : { forgetsAfter }),
    ...(corrects === undefined ? {} : { corrects }),
  };
}

function resultOf(called: Called, comment: boolean): CallToolResult | InputRequiredResult {
  return "question" in called ? question(called.question, comment) : called.result;
}

/** The SDK would hold a person's form against its schema with a validator of its own; `answerOf` reads it, and believes yes or no only. */
const formsAsTheyCome: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** The 2026 protocol: the question goes back to the client, and its key comes again with the answer. */
function question(asked: Asked, comment: boolean): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [wordKey]: inputRequired.elicit({ message: questionFor(asked), requestedSchema: wordForm(comment) }),
    },
    requestState: questionState(asked.key),
  });
}

/** Tells a client that wants to know what is being waited for. */
function progressOf({ mcpReq }: ServerContext): Pick<Calling, "progress"> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return {};
  return {
    progress(message, seconds) {
      const params = { progressToken, progress: Math.round(seconds * 10) / 10, message };
      void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // nobody listens any more
    },
  };
}

/** While a person reads, anything may change: what is looked at after their answer is looked at anew. */
function afterwards<T>(
  ask: ((asked: Asked) => Promise<T>) | undefined,
  begin: () => void,
): ((asked: Asked) => Promise<T>) | undefined {
  if (ask === undefined) return undefined;
  return async (asked) => {
    const answer = await ask(asked);
    begin();
    return answer;
  };
}

/** Who calls: the 2025 protocols say it once, the 2026 one with every call. */
function clientOf(
  server: Server,
  era: Era,
  ctx: ServerContext,
): { readonly name: string; readonly version: string } | undefined {
  if (era === "legacy") return server.getClientVersion();
  return clientInfo.safeParse(ctx.mcpReq.envelope).data?.[CLIENT_INFO_META_KEY];
}

const clientInfo = z.looseObject({
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string(), version: z.string() }),
});
