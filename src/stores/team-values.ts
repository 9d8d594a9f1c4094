import { Unavailable } from "../evidence/unavailable.ts";
import { type Role, roles } from "../http/ports.ts";

/** A role as it is kept. One that this version does not know may do no more than look. */
export function roleOf(kept: unknown): Role {
  return roles.find((one) => one === kept) ?? "viewer";
}

/** A key as it is kept in a place that people know by `place`. Throws unless it has its 32 bytes: a shorter one seals nothing. */
export function keyOf(name: string, kept: Buffer, place: string): Buffer {
  if (kept.length === keyBytes) return kept;
  throw new Unavailable(
    `The key ${name} in ${place} has ${kept.length} bytes that can be read, and not its ${keyBytes}.`,
    "Whoever runs the server must take it away there: a new one is made at the next start, and clients begin new sessions.",
  );
}

/** So many bytes a key has. */
export const keyBytes = 32;
