import { Server } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { httpSessions } from "./http-sessions.ts";
import { anonymous } from "./principal.ts";
import type { RelayListener } from "./relay.ts";

const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
const initialize = { jsonrpc: "2.0", id: 1, method: "initialize", params };

/** A server whose end fails. */
function endsBadly(): Server {
  const server = new Server({ name: "t", version: "1" }, { capabilities: {} });
  server.close = () => Promise.reject(new Error("It does not end."));
  return server;
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
    relay: {
      outgoing: (message) => message,
      incoming: (_, message) => message,
      listen: (one) => {
        heard = one;
        return () => undefined;
      },
      end: () => undefined,
      cancel: () => undefined,
      replica: "one",
    },
    report: (fault) => faults.push(fault),
  });
  const headers = { accept: "application/json, text/event-stream", "content-type": "application/json" };
  const request = new Request("http://localhost/mcp", { method: "POST", headers, body: JSON.stringify(initialize) });
  expect((await sessions.handle(request, anonymous, initialize)).status).toBe(200);
  heard?.ended(connection);
  await expect.poll(() => faults).toEqual([new Error("It does not end.")]);
  await sessions.close();
});
