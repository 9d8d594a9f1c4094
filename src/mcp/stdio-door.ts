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
import type { RefusalWords } from "../words/codes.ts";
import { cutLines } from "./message-lines.ts";
import { outlineMessage } from "./message-outline.ts";
import { openRequests } from "./open-requests.ts";

/** Messages of up to so many bytes are read. */
const largestMessage = 32 * 1024 * 1024;
/** So many bytes of replies may wait to be read before more is taken in. */
const mostUnread = 2 * largestMessage;

/**
 * The way to a client over two streams, one message a line. Every request gets its answer, and the server lives on: one that
 * is too large is passed over up to the end of its line and told so, and so is what is no message.
 */
export function stdioDoor(input: Readable = process.stdin, output: Writable = process.stdout): Transport {
  const open = openRequests(4 * largestMessage);
  let isClosed = false;

  const cut = cutLines(largestMessage, {
    line: take,
    tooLong: (outline) => refuse(outline.requestId(), INVALID_REQUEST, tooLarge("This message is larger than 32 MB")),
  });
  const hear = (chunk: Buffer | string): void => {
    cut(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    if (output.writableLength > mostUnread) waitForReader();
  };
  const fail = (error: Error): void => door.onerror?.(error);
  const leave = (): void => void door.close();
  const lose = (error: Error): void => {
    if (isClosed) return; // what is written too late is nobody's any more
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
    if (!isJSONRPCRequest(message) || open.admit(message.id, bytes)) door.onmessage?.(message);
    else refuse(message.id, INVALID_REQUEST, tooLarge("Too much waits for an answer already"));
  }

  function refuse(id: string | number | undefined, code: number, words: RefusalWords): void {
    const error = { code, message: `${words.error}: ${words.message} ${words.required_action}`, data: { ...words } };
    write({ jsonrpc: "2.0", ...(id === undefined ? {} : { id }), error }).catch(fail);
  }

  function write(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** A client that asks and asks and reads nothing would fill the memory. */
  function waitForReader(): void {
    input.pause();
    output.once("drain", () => void (isClosed || input.resume()));
  }

  const door: Transport = {
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
      door.onclose?.();
    },
  };
  return door;
}

const tooLarge = (message: string): RefusalWords => ({
  error: "too_large",
  message: `${message}, and nothing of it was read.`,
  required_action: "Send less at once: fewer or smaller files in a call, and the next call after its reply.",
});

const noMessage: RefusalWords = {
  error: "invalid_input",
  message: "This is no message of the protocol, and nothing of it was taken.",
  required_action: "Send a JSON-RPC 2.0 request as the protocol has it.",
};

const noJson: RefusalWords = {
  ...noMessage,
  message: "This line is not JSON, and nothing of it was taken.",
};
