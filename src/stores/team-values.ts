import { type Role, roles } from "../engine/ports/team.ts";
import { Unavailable } from "../kit/unavailable.ts";

/** The stored role; an unknown one may only view. */
export function roleOf(kept: unknown): Role {
  return roles.find((one) => one === kept) ?? "viewer";
}

/** The stored key from `place`; throws unless it has 32 bytes, since a shorter one is not safe. */
export function keyOf(name: string, kept: Buffer, place: string): Buffer {
  if (kept.length === keyBytes) return kept;
  throw new Unavailable(
    `The key ${name} in ${place} has ${kept.length} bytes instead of ${keyBytes}.`,
    "Ask the server's operator to remove it: the next start makes a new one, and clients start new sessions.",
  );
}

/** The length of a key. */
export const keyBytes = 32;
