import type { AsyncLocalStorage } from "node:async_hooks";
import { isJSONRPCRequest, isJSONRPCResponse, type JSONRPCMessage, type RequestId } from "@modelcontextprotocol/server";
import { parsedJson } from "../kit/json.ts";

/** The streams on which the calls of one session are answered here. A client that lost one asks for it by its last event. */
export type CallStreams = {
  /** The event store that the transport asks; it keeps no messages. */
  readonly store: {
    storeEvent(stream: string, message: JSONRPCMessage): Promise<string>;
    replayEventsAfter(lastEventId: string): Promise<string>;
  };
  /** Handles a request whose stream is named by the calls in it. */
  during<T>(body: unknown, work: () => Promise<T>): Promise<T>;
  /** Finds what a client that reconnects is missing: nothing, since its call is under way here, or calls that are lost. */
  missing(lastEventId: string): "nothing" | "no calls" | readonly RequestId[];
};

/** At most this many streams are remembered. */
const maxStreams = 1000;

/** The calls of the request being handled. One storage serves all sessions: every asynchronous step pays for each storage that exists. */
export type CurrentCalls = AsyncLocalStorage<readonly RequestId[]>;

/** Names the streams of a session; every event's id says which calls it belongs to, so that any replica can answer for a dead one. */
export function callStreams(replica: string, calls: CurrentCalls): CallStreams {
  const open = new Map<string, { readonly ids: readonly RequestId[]; left: number }>();
  let count = 0;
  return {
    store: {
      async storeEvent(stream, message) {
        const known = open.get(stream) ?? { ids: calls.getStore() ?? [], left: calls.getStore()?.length ?? 0 };
        if (isJSONRPCResponse(message)) known.left -= 1;
        open.set(stream, known);
        const [oldest] = open.size > maxStreams ? open.keys() : [];
        if (oldest !== undefined) open.delete(oldest);
        count += 1;
        const ids = stream.startsWith("_") ? [] : known.ids; // the stream that no call opened
        return [replica, Buffer.from(JSON.stringify(ids)).toString("base64url"), stream, count].join(".");
      },
      replayEventsAfter: async (last) => partsOf(last).stream,
    },
    during: (body, work) =>
      calls.run(
        [body].flat().flatMap((one) => (isJSONRPCRequest(one) ? [one.id] : [])),
        work,
      ),
    missing(last) {
      const { ids, stream, by } = partsOf(last);
      if (ids.length === 0) return "no calls";
      return by === replica && (open.get(stream)?.left ?? 0) > 0 ? "nothing" : ids;
    },
  };
}

function partsOf(last: string): { readonly by: string; readonly ids: readonly RequestId[]; readonly stream: string } {
  const [by = "", named = "", stream = ""] = last.slice(0, 4000).split(".");
  const ids = parsedJson(Buffer.from(named, "base64url").toString("utf8"));
  const isId = (id: unknown): id is RequestId => typeof id === "string" || typeof id === "number";
  return { by, ids: Array.isArray(ids) ? ids.filter(isId).slice(0, 100) : [], stream };
}

/** Answers calls whose replica is gone: nothing else will. */
export function lostCalls(ids: readonly RequestId[]): Response {
  const error = {
    code: -32603,
    message:
      "unavailable: The server that held this call stopped before it answered. Send the same call again; with its attempt nothing is done twice.",
    data: { error: "unavailable" },
  };
  const events = ids.map((id) => `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", id, error })}\n\n`);
  return new Response(events.join(""), {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}
