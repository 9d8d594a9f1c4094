import { AsyncLocalStorage } from "node:async_hooks";
import { Server } from "@modelcontextprotocol/server";
import { expect, test, vi } from "vitest";
import { httpSessions } from "./http-sessions.ts";
import { anonymous } from "./principal.ts";
import type { Relay, RelayListener } from "./relay.ts";

const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params };

/** A server whose end fails. */
function endsBadly(): Server {
  const server = new Server({ name: "t", version: "1" }, { capabilities: {} });
  server.close = () => Promise.reject(new Error("It does not end."));
  return server;
}

function relay(listening: (listener: RelayListener) => void): Relay {
  return {
    outgoing: (message) => message,
    incoming: (_, message) => message,
    listen: (one) => {
      listening(one);
      return () => undefined;
    },
    end: () => undefined,
    cancel: () => undefined,
    replica: "one",
  };
}

function opening(): Request {
  return new Request("http://localhost/mcp", { method: "POST", headers, body: JSON.stringify(initialize) });
}

test("a session that fails to end is reported, and ends nothing else", async () => {
  let heard: RelayListener | undefined;
  let connection = "";
  const faults: unknown[] = [];
  const sessions = httpSessions({
    project: "default",
    key: async () => Buffer.alloc(32),
    serve: async (name) => {
      connection = name;
      return endsBadly();
    },
    relay: relay((one) => (heard = one)),
    report: (fault) => faults.push(fault),
  });
  expect((await sessions.handle(opening(), anonymous, initialize)).status).toBe(200);
  heard?.ended(connection);
  await expect.poll(() => faults).toEqual([new Error("It does not end.")]);
  await sessions.close();
});

test("sessions share one asynchronous storage, since each slows every call", async () => {
  const run = vi.spyOn(AsyncLocalStorage.prototype, "run");
  const sessions = httpSessions({
    project: "default",
    key: async () => Buffer.alloc(32),
    serve: async () => new Server({ name: "t", version: "1" }, { capabilities: {} }),
    relay: relay(() => undefined),
    report: () => undefined,
  });
  for (let count = 0; count < 3; count++)
    expect((await sessions.handle(opening(), anonymous, initialize)).status).toBe(200);
  expect(new Set(run.mock.contexts).size).toBe(1);
  await sessions.close();
});
