import type { Visitor } from "../mcp/server.ts";
import type { RefusalWords } from "../words/codes.ts";
import { forbidden } from "../words/gate-refusals.ts";
import type { Role } from "./ports.ts";

/** Whoever calls: known by a token, or nobody in particular on this machine's own addresses. */
export type Principal = {
  /** Names them in sessions and in the history. */
  readonly id: string;
  readonly name?: string;
  /** Absent for whoever sits at this machine: they may what they may over stdio. */
  readonly role?: Role;
  /** The only project that exists for them; null: every one. */
  readonly project: string | null;
};

/** Whoever calls on this machine's own addresses, as long as there is no token. */
export const anybody: Principal = { id: "anybody", project: null };

/** Half an hour: what a principal began before that may have been begun in another chat of theirs. In seconds. */
const forgetsAfter = 30 * 60;

/** What the tools are told of a principal. Without a session it is the principal who stands at a step, and not for ever. */
export function visitorOf({ name, role }: Principal, hasSession: boolean): Visitor {
  return {
    ...(name === undefined ? {} : { name }),
    ...(hasSession ? {} : { forgetsAfter }),
    corrects: role === undefined || role === "author",
    forbids: (tool) => (role === undefined ? undefined : forbids(role, tool)),
  };
}

/** The tools that only read. */
const readingTools: readonly string[] = ["search_standards", "get_workflow_state"];

function forbids(role: Role, tool: string): RefusalWords | undefined {
  switch (role) {
    case "agent":
    case "author":
      return undefined;
    case "approver":
    case "viewer":
      return readingTools.includes(tool) ? undefined : forbidden("do the work", "agent");
    case "runner":
      return forbidden("call tools", "agent");
  }
}
