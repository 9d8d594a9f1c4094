import type { Readable, Writable } from "node:stream";
import {
  deserializeMessage,
  INVALID_REQUEST,
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  PARSE_ERROR,
  type Transport,
} from "@modelcontextprotocol/server";
import { defined } from "../kit/defined.ts";
import type { RefusalMessage } from "../messages/refusal-codes.ts";
import { type MessageOutline, outlineMessage } from "./message-outline.ts";

/** The largest message that is read, in bytes. */
const largestMessage = 32 * 1024 * 1024;
/** The bytes of replies that may wait to be read before reading stops. */
const mostUnread = 2 * largestMessage;

/** A transport over two streams, one message per line. Every request gets a reply and the server survives: oversized lines and non-messages are skipped and refused. */
export function stdioTransport(input: Readable = process.stdin, output: Writable = process.stdout): Transport {
  const open = openRequests(4 * largestMessage);
  let isClosed = false;

  const cut = splitLines(largestMessage, {
    line: take,
    tooLong: (outline) => refuse(outline.requestId(), INVALID_REQUEST, tooLarge("This message is larger than 32 MB")),
  });
  const hear = (chunk: Buffer | string): void => {
    cut(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    if (output.writableLength > mostUnread) waitForReader();
  };
  const fail = (error: Error): void => transport.onerror?.(error);
  const leave = (): void => void transport.close();
  const lose = (error: Error): void => {
    if (isClosed) return; // a late write reaches no one
    fail(error);
    leave();
  };

  function take(bytes: Buffer): void {
    const text = bytes.toString("utf8").trim();
    if (text === "") return;
    try {
      pass(deserializeMessage(text), bytes.length);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
      const outline = outlineMessage();
      outline.read(bytes);
      const isJson = !(error instanceof SyntaxError);
      refuse(outline.requestId(), isJson ? INVALID_REQUEST : PARSE_ERROR, isJson ? noMessage : noJson);
    }
  }

  function pass(message: JSONRPCMessage, bytes: number): void {
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
      open.settle(message.params?.requestId);
    if (!isJSONRPCRequest(message) || open.admit(message.id, bytes)) transport.onmessage?.(message);
    else refuse(message.id, INVALID_REQUEST, tooLarge("Too much is already waiting for a reply"));
  }

  function refuse(id: string | number | undefined, code: number, words: RefusalMessage): void {
    const error = { code, message: `${words.error}: ${words.message} ${words.required_action}`, data: { ...words } };
    write({ jsonrpc: "2.0", ...defined({ id }), error }).catch(fail);
  }

  function write(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Stops reading, so that a client that never reads cannot fill the memory. */
  function waitForReader(): void {
    input.pause();
    output.once("drain", () => void (isClosed || input.resume()));
  }

  const transport: Transport = {
    async start() {
      input.on("data", hear).on("error", fail).on("end", leave).on("close", leave);
      output.on("error", lose);
      if (input.readableEnded || input.destroyed) setImmediate(leave);
    },
    async send(message) {
      if (isClosed) throw new Error("The connection is closed.");
      if (!("method" in message)) open.settle(message.id);
      await write(message);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      input.off("data", hear).off("error", fail).off("end", leave).off("close", leave);
      if (input.listenerCount("data") === 0) input.pause();
      transport.onclose?.();
    },
  };
  return transport;
}

const tooLarge = (message: string): RefusalMessage => ({
  error: "too_large",
  message: `${message}, and none of it was read.`,
  required_action: "Send less at once: fewer or smaller files in a call, and the next call after its reply.",
});

const noMessage: RefusalMessage = {
  error: "invalid_input",
  message: "This is not a protocol message, and none of it was accepted.",
  required_action: "Send a JSON-RPC 2.0 request as MCP defines it.",
};

const noJson: RefusalMessage = {
  ...noMessage,
  message: "This line is not JSON, and none of it was accepted.",
};

/** The requests without a reply yet, bounded in total however many a client sends. */
export type OpenRequests = {
  /** Admits a request; false if there is no room until others have their reply. A single request always fits. */
  admit(id: string | number, bytes: number): boolean;
  /** Marks a request as answered or cancelled. */
  settle(id: unknown): void;
};

/** Starts with none; `most` is the number of bytes that may wait. */
function openRequests(most: number): OpenRequests {
  const sizes = new Map<unknown, number>();
  let total = 0;
  return {
    admit(id, bytes) {
      if (total > 0 && total + bytes > most) return false;
      total += bytes - (sizes.get(id) ?? 0);
      sizes.set(id, bytes);
      return true;
    },
    settle(id) {
      total -= sizes.get(id) ?? 0;
      sizes.delete(id);
    },
  };
}

/** Receives lines: whole ones, or the outline of one that was too long to keep. */
export type LineHandler = {
  line(bytes: Buffer): void;
  tooLong(outline: MessageOutline): void;
};

/** Splits input into lines; beyond `longest` bytes a line is not kept, only outlined. */
export function splitLines(longest: number, hearer: LineHandler): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  /** The outline of a line that is too long. */
  let outline: MessageOutline | undefined;

  function add(bytes: Buffer): void {
    length += bytes.length;
    if (outline === undefined) parts.push(bytes);
    else outline.read(bytes);
    if (outline !== undefined || length <= longest) return;
    outline = outlineMessage();
    for (const part of parts) outline.read(part);
    parts = [];
  }

  function end(): void {
    const [line, passed] = [parts, outline];
    parts = [];
    length = 0;
    outline = undefined;
    if (passed !== undefined) hearer.tooLong(passed);
    else hearer.line(line.length === 1 && line[0] !== undefined ? line[0] : Buffer.concat(line));
  }

  return (chunk) => {
    let start = 0;
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, at));
      end();
      start = at + 1;
    }
    if (start < chunk.length) add(chunk.subarray(start));
  };
}

const newline = 0x0a;
