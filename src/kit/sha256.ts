import { hash } from "node:crypto";

/** The SHA-256 of a text (as UTF-8) or bytes, in hex. */
export function sha256(data: string | Uint8Array): string {
  return hash("sha256", data);
}
