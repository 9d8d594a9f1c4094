import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A token that nobody can guess. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What a request brings in its header `Authorization`; a token is looked for nowhere else. */
export function bearerOf({ headers }: Request): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(headers.get("authorization") ?? "")?.[1];
}

/** Tells whether two tokens are the same one, in a time that says nothing of where they differ. */
export function isSameToken(one: string | undefined, other: string): boolean {
  return one !== undefined && timingSafeEqual(hashOf(one), hashOf(other));
}

function hashOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
