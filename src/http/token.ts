import { randomBytes } from "node:crypto";

/** A token that nobody can guess. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What a request brings in its header `Authorization`; a token is looked for nowhere else. */
export function bearerOf({ headers }: Request): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(headers.get("authorization") ?? "")?.[1];
}
