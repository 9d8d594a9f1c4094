import type { SignedHead } from "../audit/ports.ts";
import { parseObject } from "./projections/json-text.ts";

/** Reads a signed head as it is kept, one a line; undefined where it is none. */
export function readHead(line: string): SignedHead | undefined {
  const { seq, head, first, at, key, signature } = parseObject(line) ?? {};
  const isWhole =
    typeof seq === "number" && [head, first, at, key, signature].every((field) => typeof field === "string");
  return isWhole
    ? { seq, head: `${head}`, first: `${first}`, at: `${at}`, key: `${key}`, signature: `${signature}` }
    : undefined;
}
