import { createHash, randomBytes } from "node:crypto";
import type { Token } from "../engine/ports/team.ts";

/** The pattern of token and project names, which are safe in paths and addresses. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Creates a token: the secret for its owner, and the record to store. */
export function makeToken(
  about: Pick<Token, "name" | "role" | "project" | "expiresAt" | "follows">,
  now: Date,
): { readonly secret: string; readonly token: Token } {
  const secret = `${mark}${randomBytes(32).toString("base64url")}`;
  return { secret, token: { ...about, hash: hashToken(secret), createdAt: now.toISOString() } };
}

/** The prefix of every token, so that secret scanners find it. */
const mark = "wm_";

/** Tells if a text looks like a token, which must not be written anywhere. */
export function looksLikeToken(text: string): boolean {
  return text.startsWith(mark);
}

/** Hashes a token for storage. */
export function hashToken(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
