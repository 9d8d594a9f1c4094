import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { Era } from "./ask.ts";

/** The program at the other end, as it names itself. */
export type Client = { readonly name: string; readonly version: string };

/** Who calls: the 2025 protocols say it once, the 2026 one with every call. */
export function clientOf(server: Server, era: Era, ctx: ServerContext): Client | undefined {
  if (era === "legacy") return server.getClientVersion();
  return clientInfo.safeParse(ctx.mcpReq.envelope).data?.[CLIENT_INFO_META_KEY];
}

const clientInfo = z.looseObject({
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string(), version: z.string() }),
});
