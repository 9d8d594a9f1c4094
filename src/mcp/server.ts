import {
  type CallToolRequest,
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type jsonSchemaValidator,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { OpenPage } from "../engine/answer-page.ts";
import type { CallerContext } from "../engine/caller.ts";
import type { ApprovalQuestion } from "../engine/reply.ts";
import type { Workplace } from "../engine/workplace.ts";
import { defined } from "../kit/defined.ts";
import { isObject } from "../kit/json.ts";
import { oncePer } from "../kit/once.ts";
import { isResourceShortage } from "../kit/out-of-resources.ts";
import { Unavailable } from "../kit/unavailable.ts";
import { approvalQuestion } from "../messages/approval-question.ts";
import type { RefusalMessage } from "../messages/refusal-codes.ts";
import type { Caller } from "../workflow/command.ts";
import { type PageQuestion, pageQuestionThrough } from "./ask-on-page.ts";
import type { ReplyForm } from "./bot-reply.ts";
import type { CallResult } from "./call-result.ts";
import { readCallerTree } from "./caller-tree.ts";
import { approvalForm, approvalKey, askThrough, type Era, patienceOf, questionState } from "./elicit-approval.ts";
import { usedRunsInMemory, usedRunsOnRecord } from "./find-run.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { familyOf, listTools, onlyReads, toolNamed } from "./registry.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";
import { serverInstructions } from "./server-instructions.ts";
import type { Telemetry, TracedRequest } from "./telemetry.ts";

export type ServerOptions = {
  readonly workplace: Workplace;
  readonly era: Era;
  readonly version: string;
  /** Names this connection in the history. */
  readonly connection: string;
  /** The longest wait of a call for a person. */
  readonly patienceMs: number;
  /** The caller, if the transport knows more than the connection. */
  readonly visitor?: Visitor;
  /** Opens a page for the person, if a form is not enough and their client can show one. */
  readonly openPage?: OpenPage;
  /** Tells the operator's OpenTelemetry about requests. */
  readonly telemetry?: Telemetry | undefined;
  /** Hears how each tool call ended. */
  readonly ended?: (call: EndedCall) => void;
  /** The traits of a host by its client's name; by default it gets everything. */
  readonly hostTraits?: (client: string | undefined) => HostTraits;
};

/** A tool call that ended: `code` names the refusal. */
export type EndedCall = {
  readonly tool: string;
  readonly outcome: "ok" | "refused" | "awaiting_human" | "checking" | "asked" | "failed";
  readonly code?: string;
  readonly ms: number;
};

/** A caller over HTTP: its name, its rights, and how long its open steps count as its own. */
export type Visitor = Pick<Caller, "name" | "forgetsAfter" | "mayArriveLate" | "mayCorrect"> & {
  readonly principal: string;
  /** The refusal of a tool that the caller may not use. */
  forbids(tool: string): RefusalMessage | undefined;
};

/** The text beside structured content, and if a form has a comment. */
export type HostTraits = { readonly text: ReplyForm; readonly comment: boolean };

const defaultTraits: HostTraits = { text: "whole", comment: true };

/** Creates the MCP server of one connection: tools, prompts and resources over the same engines. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const { workplace, era, version, visitor, hostTraits = () => defaultTraits } = options;
  const instructions = await serverInstructions(workplace);
  const server = new Server(
    { name: "waymark", title: "Waymark", version },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions, jsonSchemaValidator: acceptAnyForm },
  );
  const uses = visitor === undefined ? usedRunsInMemory() : usedRunsOnRecord(workplace, options.connection);
  const unnamed = new Map<string, string | undefined>();
  const seesFiles = visitor === undefined;
  const traitsOf = oncePer(hostTraits);
  /** The workplace for one request, with nothing cached from another. */
  const freshWorkplace = (): Workplace => {
    workplace.beginCall();
    return workplace;
  };
  /** Does the work of a request, in a span where the operator wants one. */
  const traced = <T>(
    request: Omit<TracedRequest, "id" | "meta">,
    { mcpReq: { id, _meta: meta } }: ServerContext,
    work: () => Promise<T>,
    errorOf?: (result: T) => string | undefined,
  ): Promise<T> => options.telemetry?.around({ ...request, id, meta }, work, errorOf) ?? work();
  server.setRequestHandler("tools/list", (_, ctx) =>
    traced({ method: "tools/list" }, ctx, async () => ({ tools: await listTools(freshWorkplace()) })),
  );
  server.setRequestHandler("tools/call", async (request, ctx) => {
    const from = performance.now();
    const tool = request.params.name;
    const heard = (end: Omit<EndedCall, "tool" | "ms">): void =>
      options.ended?.({ ...end, tool, ms: performance.now() - from });
    try {
      const work = (): ReturnType<typeof callTool> => callTool(request, ctx);
      const result = await (options.telemetry === undefined
        ? callTool(request, ctx)
        : traced({ method: "tools/call", target: tool }, ctx, work, (one) => endOf(one).code));
      heard(endOf(result));
      return result;
    } catch (fault) {
      heard({ outcome: "failed" });
      throw fault;
    }
  });
  const callTool = async ({ params }: CallToolRequest, ctx: ServerContext) => {
    freshWorkplace();
    const client = clientOf(server, era, ctx);
    const { text: form, comment } = traitsOf(client?.name);
    const { question, ...asks } = onlyReads(params.name) ? {} : waysToAsk(server, ctx, options, comment);
    const caller = {
      ...(visitor === undefined
        ? {}
        : { ...visitorTraits(visitor), ...readCallerTree(ctx.mcpReq._meta, visitor.principal) }),
      id: options.connection,
      ...(client === undefined ? {} : { client: `${client.name} ${client.version}`.trim().slice(0, 200) }),
      ...progressOf(ctx),
      stop: ctx.mcpReq.signal,
      ...asks,
    };
    const family = familyOf(params.name);
    const forbidden = visitor?.forbids(params.name);
    if (forbidden !== undefined) return resultOf(family.refuse(forbidden, form), comment);
    const called = await refuseIfUnavailable(
      async () =>
        (await toolNamed(params.name, workplace)).handle({
          workplace,
          caller,
          given: params.arguments ?? {},
          form,
          seesFiles,
          uses,
          unnamed,
        }),
      (no) => family.refuse(no, form),
    );
    return ("question" in called ? question?.(called.question) : undefined) ?? resultOf(called, comment);
  };
  server.setRequestHandler("prompts/list", (_, ctx) =>
    traced({ method: "prompts/list" }, ctx, async () => ({ prompts: await listPrompts(freshWorkplace()) })),
  );
  server.setRequestHandler("prompts/get", ({ params }, ctx) =>
    traced({ method: "prompts/get", target: params.name }, ctx, async () =>
      getPrompt(freshWorkplace(), params.name, params.arguments ?? {}),
    ),
  );
  server.setRequestHandler("resources/list", (_, ctx) =>
    traced({ method: "resources/list" }, ctx, async () => ({ resources: await listResources(freshWorkplace()) })),
  );
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/read", ({ params }, ctx) =>
    traced({ method: "resources/read" }, ctx, async () => readResource(freshWorkplace(), params.uri)),
  );
  return server;
}

/** How a call ended, by what its reply says. */
function endOf(result: CallToolResult | InputRequiredResult): Omit<EndedCall, "tool" | "ms"> {
  if ("inputRequests" in result) return { outcome: "asked" };
  const said = "structuredContent" in result && isObject(result.structuredContent) ? result.structuredContent : {};
  const { error, status } = said;
  if (typeof error === "string") return { outcome: "refused", code: error };
  return { outcome: status === "awaiting_human" || status === "checking" ? status : "ok" };
}

function visitorTraits({ name, forgetsAfter, mayArriveLate, mayCorrect }: Visitor): Omit<Caller, "id"> {
  return defined({ name, forgetsAfter, mayArriveLate, mayCorrect });
}

/** The ways to ask the person behind a call: through a form, or on a page that the client is sent to first. */
function waysToAsk(
  server: Server,
  ctx: ServerContext,
  { era, workplace, openPage, patienceMs }: ServerOptions,
  comment: boolean,
): Pick<CallerContext, "ask" | "askOnPage"> & Partial<Pick<PageQuestion, "question">> {
  const patience = patienceOf(patienceMs);
  const page = openPage && pageQuestionThrough(server, era, ctx, { patience, openPage });
  return {
    ask: thenReset(askThrough(server, era, ctx, { patience, comment }), workplace.beginCall),
    askOnPage: thenReset(page?.askOnPage, workplace.beginCall),
    ...defined({ question: page?.question }),
  };
}

function resultOf(called: CallResult, comment: boolean): CallToolResult | InputRequiredResult {
  return "question" in called ? questionForm(called.question, comment) : called.result;
}

/** Accepts every form: the SDK's validator is not needed because `readForm` reads the form and accepts only yes or no. */
const acceptAnyForm: jsonSchemaValidator = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** For the 2026 protocol: returns the question to the client, which sends its key again with the answer. */
function questionForm(asked: ApprovalQuestion, comment: boolean): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      [approvalKey]: inputRequired.elicit({ message: approvalQuestion(asked), requestedSchema: approvalForm(comment) }),
    },
    requestState: questionState(asked.key),
  });
}

/** Reports progress to a client that asked for it. */
function progressOf({ mcpReq }: ServerContext): Pick<CallerContext, "progress"> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return {};
  return {
    progress(message, seconds) {
      const params = { progressToken, progress: Math.round(seconds * 10) / 10, message };
      void mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined); // the client no longer listens
    },
  };
}

/** Resets the workplace after a question, because anything may change while a person reads. */
function thenReset<T>(
  ask: ((asked: ApprovalQuestion) => Promise<T>) | undefined,
  begin: () => void,
): ((asked: ApprovalQuestion) => Promise<T>) | undefined {
  if (ask === undefined) return undefined;
  return async (asked) => {
    const answer = await ask(asked);
    begin();
    return answer;
  };
}

/** The calling client: 2025 protocols name it once, the 2026 protocol with every call. */
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

/** Runs a call; if the machine is out of resources or the store does not answer, refuses it as `unavailable`. */
async function refuseIfUnavailable<T>(call: () => Promise<T>, refuse: (no: RefusalMessage) => T): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const no = unavailableMessage(error);
    if (no === undefined) throw error;
    return refuse(no);
  }
}

function unavailableMessage(error: unknown): RefusalMessage | undefined {
  if (error instanceof Unavailable) return { error: "unavailable", message: error.message, required_action: error.fix };
  return isResourceShortage(error) ? outOfResources : undefined;
}

const outOfResources: RefusalMessage = {
  error: "unavailable",
  message: "The machine can't open files right now (too many are open, or memory is low).",
  required_action: "Close other programs, then send the same call again; nothing recorded is lost.",
};
