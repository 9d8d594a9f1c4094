import { randomBytes } from "node:crypto";

/** Creates a random token. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Reads the token from the `Authorization` header, the only place it is accepted. */
export function bearerOf({ headers }: Request): string | undefined {
  return /^Bearer ([\x21-\x7e]{1,4096})$/i.exec(headers.get("authorization") ?? "")?.[1];
}
