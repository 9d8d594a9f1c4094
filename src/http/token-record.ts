import { createHash, randomBytes } from "node:crypto";
import type { Role, Token } from "./ports.ts";

/** What names of tokens and projects are made of: nothing that could lead anywhere, as part of a path or of an address. */
export const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Makes a token: what its bearer is given, once, and what is kept of it. */
export function makeToken(
  about: { readonly name: string; readonly role: Role; readonly project: string | null },
  now: Date,
): { readonly secret: string; readonly token: Token } {
  const secret = `${mark}${randomBytes(32).toString("base64url")}`;
  return { secret, token: { ...about, hash: hashToken(secret), createdAt: now.toISOString() } };
}

/** Every token begins so: scanners find one that was left lying about. */
const mark = "wm_";

/** Whether somebody may have put a token where none belongs: what looks like one is written down nowhere. */
export function looksLikeToken(text: string): boolean {
  return text.startsWith(mark);
}

/** What is kept of a token: nobody finds it out from this. */
export function hashToken(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
