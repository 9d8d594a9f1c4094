import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from "@modelcontextprotocol/server";
import * as z from "zod/v4";

/** What a client of the 2026 protocol says that it can do, call by call. */
export function clientCan({ mcpReq }: ServerContext): z.output<typeof capabilities> {
  return envelope.safeParse(mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

const capabilities = z.object({ sampling: z.unknown().optional(), elicitation: z.unknown().optional() });
const envelope = z.looseObject({ [CLIENT_CAPABILITIES_META_KEY]: capabilities });
