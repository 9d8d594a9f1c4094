import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ApprovalQuestion } from "../engine/reply.ts";

/** The result of a call, or a question that the client must ask a person first. */
export type CallResult = { readonly result: CallToolResult } | { readonly question: ApprovalQuestion };
