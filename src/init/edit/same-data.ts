import { isDeepStrictEqual } from "node:util";

/** Whether two parsed values say the same; parsers differ in the kind of objects they make. */
export function isSameData(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(structuredClone(one), structuredClone(other));
}
