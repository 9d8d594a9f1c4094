import { isDeepStrictEqual } from "node:util";

/** True if two parsed values are equal, regardless of the parser's object types. */
export function isSameData(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(structuredClone(one), structuredClone(other));
}
