import type { Role } from "../engine/ports/team.ts";
import { defined } from "../kit/defined.ts";
import { onlyReads } from "../mcp/registry.ts";
import type { Visitor } from "../mcp/server.ts";
import { forbiddenMessage } from "../messages/gate-refusals.ts";
import type { RefusalMessage } from "../messages/refusal-codes.ts";

/** A caller: identified by a token, or anonymous on loopback. */
export type Principal = {
  /** The id in sessions and in the history. */
  readonly id: string;
  readonly name?: string;
  /** Undefined for a person at this machine, who has the same rights as over stdio. */
  readonly role?: Role;
  /** The only project they can see, or null for all. */
  readonly project: string | null;
};

/** The anonymous caller on loopback while there is no token. */
export const anonymous: Principal = { id: "anybody", project: null };

/** The seconds after which a step may belong to another chat of the same principal. */
const positionExpiresAfter = 30 * 60;

/** Describes a principal to the tools; without a session, the principal holds the position, and only for a while. */
export function visitorFor({ id, name, role }: Principal, hasSession: boolean): Visitor {
  return {
    principal: id,
    ...defined({ name }),
    ...(hasSession ? {} : { forgetsAfter: positionExpiresAfter }),
    mayArriveLate: true,
    mayCorrect: role === undefined || role === "author",
    forbids: (tool) => (role === undefined ? undefined : refuseTool(role, tool)),
  };
}

function refuseTool(role: Role, tool: string): RefusalMessage | undefined {
  switch (role) {
    case "agent":
    case "author":
      return undefined;
    case "approver":
    case "viewer":
      return onlyReads(tool) ? undefined : forbiddenMessage("do the work", "agent");
    case "runner":
      return forbiddenMessage("call tools", "agent");
  }
}
