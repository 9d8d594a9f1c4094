import { randomBytes } from "node:crypto";
import {
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCResponse,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { Signals } from "../engine/ports/team.ts";
import { parsedJson } from "../kit/json.ts";

/** Passes clients' answers to the replica that asked, and tells all replicas of ended sessions. */
export type Relay = {
  /** Adds this replica's name to the questions in an outgoing message. */
  outgoing(message: JSONRPCMessage): JSONRPCMessage;
  /** Returns an answer to this replica with its original id, or forwards it to another replica. */
  incoming(session: string, message: JSONRPCResponse): JSONRPCResponse | undefined;
  /** Listens for answers and ended sessions from other replicas. */
  listen(heard: RelayListener): () => void;
  /** Tells the other replicas that a client has cancelled a call, which one of them may hold. */
  cancel(session: string, message: JSONRPCMessage): void;
  end(session: string): void;
  /** The name of this replica. */
  readonly replica: string;
};

export type RelayListener = {
  answer(session: string, message: JSONRPCResponse): void;
  cancelled(session: string, message: JSONRPCMessage): void;
  ended(session: string): void;
};

/** Creates a relay with its own name. */
export function createRelay(signals: Signals, report: (fault: unknown) => void): Relay {
  const replica = randomBytes(9).toString("base64url");
  const here = (id: unknown): number | undefined => {
    const [name, number] = String(id).split("~");
    return name === replica && number !== undefined ? Number(number) : undefined;
  };
  const send = (signal: z.input<typeof signalShape>): void => void signals.send(JSON.stringify(signal)).catch(report);
  const listeners = new Set<RelayListener>();
  let stop: (() => void) | undefined;
  const hear = (text: string): void => {
    const signal = parse(text);
    if (signal?.ended === true) for (const { ended } of listeners) ended(signal.session);
    const { cancelled } = signal ?? {};
    if (signal !== undefined && cancelled !== undefined && signal.from !== replica)
      for (const one of listeners) one.cancelled(signal.session, { jsonrpc: "2.0", ...cancelled });
    const id = here(signal?.answer?.id);
    if (signal?.answer === undefined || id === undefined || !isJSONRPCResponse(signal.answer)) return;
    for (const { answer } of listeners) answer(signal.session, { ...signal.answer, id });
  };
  return {
    outgoing(message) {
      if (isJSONRPCRequest(message)) return { ...message, id: `${replica}~${message.id}` };
      if (!("method" in message) || message.method !== "notifications/cancelled") return message;
      return { ...message, params: { ...message.params, requestId: `${replica}~${message.params?.requestId}` } };
    },
    incoming(session, message) {
      const id = here(message.id);
      if (id !== undefined) return { ...message, id };
      send({ session, answer: message });
      return undefined;
    },
    listen(one) {
      listeners.add(one);
      // One listener for all projects, because a store sends each message once.
      stop ??= signals.listen(hear);
      return () => {
        listeners.delete(one);
        if (listeners.size > 0) return;
        stop?.();
        stop = undefined;
      };
    },
    replica,
    cancel(session, message) {
      if ("method" in message && message.method === "notifications/cancelled")
        send({
          session,
          from: replica,
          cancelled: { method: message.method, params: { requestId: message.params?.requestId } },
        });
    },
    end: (session) => send({ session, ended: true }),
  };
}

const signalShape = z.object({
  session: z.string(),
  answer: z.looseObject({ id: z.unknown().optional() }).optional(),
  ended: z.boolean().optional(),
  from: z.string().optional(),
  cancelled: z
    .object({ method: z.literal("notifications/cancelled"), params: z.object({ requestId: z.unknown() }) })
    .optional(),
});

function parse(text: string): z.output<typeof signalShape> | undefined {
  return signalShape.safeParse(parsedJson(text)).data;
}
