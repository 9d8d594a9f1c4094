import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { Calling } from "../engine/caller.ts";
import { askThrough, type Era } from "./ask.ts";

/** The program at the other end, as it names itself. */
export type Client = { readonly name: string; readonly version: string };

/** What every call of a connection is made with: its id in the history, the program, and a way to ask the person behind it. */
export function callingFor(
  server: Server,
  era: Era,
  ctx: ServerContext,
  { connection, patienceMs }: { readonly connection: string; readonly patienceMs: number },
): Calling {
  const client = clientOf(server, era, ctx);
  return {
    id: connection,
    ...(client === undefined ? {} : { client: `${client.name} ${client.version}`.trim().slice(0, 200) }),
    ask: askThrough(server, era, ctx, patienceMs),
  };
}

/** The 2025 protocols say it once, the 2026 one with every call. */
export function clientOf(server: Server, era: Era, ctx: ServerContext): Client | undefined {
  if (era === "legacy") return server.getClientVersion();
  return clientInfo.safeParse(ctx.mcpReq.envelope).data?.[CLIENT_INFO_META_KEY];
}

const clientInfo = z.looseObject({
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string(), version: z.string() }),
});
