import { type Token, type TokenList, tokensOfOneName } from "../../engine/ports/team.ts";
import { defined } from "../../kit/defined.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { roleOf } from "../team-values.ts";
import type { TeamLines } from "./team-lines.ts";

/** The tokens that the lines add up to; a revoked name may be used again. */
export function tokensIn({ lines, unreadable }: TeamLines): TokenList {
  let tokens: readonly Token[] = [];
  let notUnderstood = 0;
  for (const line of lines) {
    const added = tokenOf(line.add);
    if (added !== undefined) {
      const active = tokens.filter(({ name, revokedAt }) => name === added.name && revokedAt === undefined);
      if (active.length < tokensOfOneName) tokens = [...tokens, added];
    } else if (typeof line.revoke === "string") {
      const isMeant = ({ name, hash, revokedAt }: Token): boolean =>
        name === line.revoke && revokedAt === undefined && (line.hash === undefined || line.hash === hash);
      tokens = tokens.map((token) => (isMeant(token) ? { ...token, revokedAt: String(line.at) } : token));
    } else notUnderstood++;
  }
  return { tokens, unreadable: unreadable + notUnderstood };
}

/** A token from a line; undefined if anything that identifies or restricts it is missing. */
function tokenOf(added: Json | undefined): Token | undefined {
  if (!isObject(added)) return undefined;
  const { name, role, project, hash, createdAt, expiresAt, follows }: JsonObject = added;
  if (typeof name !== "string" || typeof hash !== "string" || typeof createdAt !== "string") return undefined;
  if (project !== null && typeof project !== "string") return undefined;
  // A token of which the expiry cannot be read must not live for ever.
  if (expiresAt !== undefined && typeof expiresAt !== "string") return undefined;
  const more = defined({ expiresAt, follows: typeof follows === "string" ? follows : undefined });
  return { name, role: roleOf(role), project, hash, createdAt, ...more };
}
