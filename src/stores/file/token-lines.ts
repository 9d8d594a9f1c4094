import type { Token, TokenList } from "../../engine/ports/team.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { roleOf } from "../team-values.ts";
import type { TeamLines } from "./team-lines.ts";

/** The tokens that the lines add up to; a revoked name may be used again. */
export function tokensIn({ lines, unreadable }: TeamLines): TokenList {
  const tokens: Token[] = [];
  const indexOf = (name: string): number =>
    tokens.findIndex((token) => token.name === name && token.revokedAt === undefined);
  let notUnderstood = 0;
  for (const line of lines) {
    const added = tokenOf(line.add);
    if (added !== undefined) {
      if (indexOf(added.name) < 0) tokens.push(added);
    } else if (typeof line.revoke === "string") {
      const at = indexOf(line.revoke);
      const [before] = tokens.splice(at, at < 0 ? 0 : 1);
      if (before !== undefined) tokens.push({ ...before, revokedAt: String(line.at) });
    } else notUnderstood++;
  }
  return { tokens, unreadable: unreadable + notUnderstood };
}

/** A token from a line; undefined if anything that identifies or restricts it is missing. */
function tokenOf(added: Json | undefined): Token | undefined {
  if (!isObject(added)) return undefined;
  const { name, role, project, hash, createdAt }: JsonObject = added;
  if (typeof name !== "string" || typeof hash !== "string" || typeof createdAt !== "string") return undefined;
  if (project !== null && typeof project !== "string") return undefined;
  return { name, role: roleOf(role), project, hash, createdAt };
}
