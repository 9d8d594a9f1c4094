import {
  type AuthProvider,
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  SdkHttpError,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { isObject, type JsonObject, parsedObject } from "../kit/json.ts";
import type { RefusalMessage } from "../messages/refusal-codes.ts";
import { type ReportedTree, treeKey } from "./caller-tree.ts";
import { familyOf } from "./registry.ts";
import { files } from "./schemas.ts";
import { stdioTransport } from "./stdio-transport.ts";

export type BridgeDeps = {
  readonly url: URL;
  /** Signs requests in; undefined on a server that needs no token. */
  readonly authProvider?: AuthProvider;
  /** Reads a submitted file from the work tree, by the rules of content. */
  readFile(path: string): { readonly text: string } | { readonly problem: string };
  /** Reports the work tree; called for every call of a tool. */
  tree(): Promise<ReportedTree>;
  /** Runs the caller's checks while a completion is under way or waits for them. */
  readonly runner: { begin(): void; end(isWaiting: boolean): void };
  readonly report: (message: string) => void;
  /** The transport to the assistant. */
  readonly near?: ReturnType<typeof stdioTransport>;
};

/** Passes an assistant's messages to a team server and back, unchanged but for what only this side can see. */
export async function serveBridge(deps: BridgeDeps): Promise<{ close(): Promise<void> }> {
  const { url, report, near = stdioTransport() } = deps;
  const open = new Map<string | number, AbortController>();
  const { authProvider } = deps;
  const far = new StreamableHTTPClientTransport(url, {
    ...(authProvider === undefined ? {} : { authProvider }),
    reconnectionOptions: {
      initialReconnectionDelay: 50,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 4,
    },
  });
  let initialize: JSONRPCRequest | undefined;
  const reply = (message: JSONRPCMessage): void => void near.send(message).catch(() => undefined);

  /** Completions under way: the runner beside the assistant works for as long as one is, or waits for its checks. */
  const completions = new Map<string | number, (message: JSONRPCMessage) => void>();

  far.onmessage = (message) => {
    if (!isJSONRPCResponse(message)) return reply(message);
    const { id } = message;
    if (id === renewalId) return renewal?.done();
    if (id === undefined || !open.delete(id)) return; // cancelled, or an answer to a request that was sent twice
    if (initialize?.id === id && "result" in message && isObject(message.result))
      far.setProtocolVersion?.(String(message.result.protocolVersion));
    completions.get(id)?.(message);
    reply(message);
  };
  far.onerror = () => undefined; // every request hears of its own failure

  /** Sends a request; one whose answer was lost is sent again only if it names its attempt. */
  async function send(request: JSONRPCRequest, tries: number): Promise<void> {
    const stop = open.get(request.id) ?? new AbortController();
    open.set(request.id, stop);
    let isLost = false;
    const lost = (): void => {
      if (!open.has(request.id) || isLost) return;
      isLost = true;
      void again(request, tries, brokenOff);
    };
    try {
      await far.send(request, { requestSignal: stop.signal, onRequestStreamEnd: lost });
    } catch (error) {
      if (!open.has(request.id) || stop.signal.aborted) return;
      if (isGone(error) && initialize !== undefined && request !== initialize && tries > 0)
        return renew(request, tries);
      await again(request, isUnreached(error) ? 0 : tries, problemOf(error, url));
    }
  }

  async function again(request: JSONRPCRequest, tries: number, no: RefusalMessage): Promise<void> {
    if (tries > 0 && namesAttempt(request)) return send(request, tries - 1);
    open.delete(request.id);
    const refused = refusalOf(request, no);
    completions.get(request.id)?.(refused);
    reply(refused);
  }

  /** A session that is being begun again; calls that find out at once wait for the same one. */
  let renewal: { readonly joined: Promise<void>; readonly done: () => void } | undefined;

  /** Begins a session again that the server no longer knows; it has not handled the request. */
  async function renew(request: JSONRPCRequest, tries: number): Promise<void> {
    renewal ??= beginAgain(request);
    await renewal.joined;
    return send(request, tries - 1);
  }

  function beginAgain(request: JSONRPCRequest): NonNullable<typeof renewal> {
    let done = (): void => undefined;
    const answered = new Promise<void>((resolve) => (done = resolve));
    far.send({ ...(initialize ?? request), id: renewalId }).catch(done);
    const joined = answered
      .then(() => far.send({ jsonrpc: "2.0", method: "notifications/initialized" }))
      .catch(() => undefined)
      .finally(() => {
        renewal = undefined;
      });
    return { joined, done };
  }

  async function call(request: JSONRPCRequest): Promise<void> {
    const { params = {} } = request;
    const tool = String(params.name ?? "");
    const filled = withTexts(params.arguments, deps.readFile);
    if ("problem" in filled) return reply(refusalOf(request, { error: "invalid_input", ...filled.problem }));
    const isCompletion = tool === "complete_action" || tool === "complete_phase";
    if (isCompletion) {
      deps.runner.begin();
      completions.set(request.id, (message) => {
        completions.delete(request.id);
        deps.runner.end(isWaitingForRunner(message));
      });
    }
    const meta = { ...(isObject(params._meta) ? params._meta : {}), [treeKey]: await deps.tree() };
    await send({ ...request, params: { ...params, arguments: filled.args, _meta: meta } }, 2);
  }

  near.onmessage = (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message)) {
      if (isInitializeRequest(message)) initialize = message;
      return void (message.method === "tools/call" ? call(message) : send(message, 1)).catch((fault) =>
        report(String(fault)),
      );
    }
    if ("method" in message && message.method === "notifications/cancelled") {
      const id = message.params?.requestId as string | number;
      const stop = open.get(id);
      open.delete(id);
      completions.get(id)?.(message);
      void far
        .send(message)
        .catch(() => undefined)
        .finally(() => stop?.abort());
      return;
    }
    void far
      .send(message)
      .catch((fault: unknown) => report(`could not pass on a message: ${problemOf(fault, url).message}`));
  };
  near.onerror = (error) => report(error.message);
  await far.start();
  await near.start();
  return {
    async close() {
      await Promise.race([far.terminateSession().catch(() => undefined), new Promise((done) => setTimeout(done, 500))]);
      await far.close();
    },
  };
}

/** The id of the request that begins a session again. */
const renewalId = "waymark-begin-again";

/** Puts the text of each submitted file beside its path, or says why one cannot be read. */
function withTexts(
  given: unknown,
  read: BridgeDeps["readFile"],
): { readonly args: unknown } | { readonly problem: Omit<RefusalMessage, "error"> } {
  const listed = isObject(given) ? files.safeParse(given.content) : undefined;
  if (!isObject(given) || listed?.success !== true) return { args: given };
  const content: JsonObject[] = [];
  for (const { path, text } of listed.data) {
    const found = text === undefined ? read(path) : { text };
    if ("problem" in found)
      return {
        problem: {
          message: `Not accepted: content path ${JSON.stringify(path.slice(0, 200))}: ${found.problem}.`,
          required_action: "Use paths of ordinary text files inside the project area, or send their text.",
        },
      };
    content.push({ path, text: found.text });
  }
  return { args: { ...given, content } };
}

function isWaitingForRunner(message: JSONRPCMessage): boolean {
  if (!("result" in message) || !isObject(message.result)) return false;
  const { structuredContent: said } = message.result;
  return isObject(said) && said.waiting_for === "runner";
}

/** Tells if a call may be sent again: a completion that names its attempt counts once, however often it arrives. */
function namesAttempt({ method, params }: JSONRPCRequest): boolean {
  return method === "tools/call" && isObject(params?.arguments) && typeof params.arguments.attempt === "string";
}

/** The answer to a request that could not be passed on. */
function refusalOf({ id, method, params }: JSONRPCRequest, no: RefusalMessage): JSONRPCMessage {
  if (method !== "tools/call")
    return {
      jsonrpc: "2.0",
      id,
      error: { code: -32603, message: `${no.error}: ${no.message} ${no.required_action}`, data: { ...no } },
    };
  const refused = familyOf(String(params?.name ?? "")).refuse(no, "whole");
  const isModern = isObject(params?._meta) && typeof params._meta[PROTOCOL_VERSION_META_KEY] === "string";
  const about = isModern ? { resultType: "complete" } : {}; // the 2026 protocol wants it said
  return { jsonrpc: "2.0", id, result: { ...about, ...("result" in refused ? refused.result : {}) } };
}

const brokenOff: RefusalMessage = {
  error: "unavailable",
  message: "The connection to the team server broke off before it answered.",
  required_action: "Send the same call again; with its attempt nothing is done twice.",
};

/** Tells if a request cannot have reached the server. */
function isUnreached(error: unknown): boolean {
  const code = error instanceof Error && isObject(error.cause) ? error.cause.code : undefined;
  return ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"].includes(
    String(code),
  );
}

/** Tells if the server no longer knows the session. */
function isGone(error: unknown): boolean {
  return error instanceof SdkHttpError && error.status === 404 && String(error.data.text).includes("Session not found");
}

function problemOf(error: unknown, { origin }: URL): RefusalMessage {
  if (error instanceof UnauthorizedError || (error instanceof SdkHttpError && error.status === 401))
    return {
      error: "forbidden",
      message: `The team server at ${origin} does not accept this sign-in.`,
      required_action:
        "Ask the person to sign in with waymark serve --remote URL --login, then send the same call again.",
    };
  if (!(error instanceof SdkHttpError))
    return {
      error: "unavailable",
      message: `The team server at ${origin} can't be reached.`,
      required_action: "Send the same call again when it is back; nothing recorded is lost.",
    };
  const said = parsedObject(String(error.data.text ?? ""));
  const code = codes[error.status ?? 0] ?? "unavailable";
  return {
    error: code,
    message:
      typeof said?.message === "string" ? said.message : `The team server at ${origin} answered with ${error.status}.`,
    required_action: code === "unavailable" ? "Send the same call again." : "Change the call, or ask the person.",
  };
}

const codes: Readonly<Record<number, RefusalMessage["error"]>> = {
  403: "forbidden",
  404: "invalid_input",
  413: "too_large",
};
