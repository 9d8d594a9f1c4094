import type { SignedHead } from "../engine/ports/signed-heads.ts";
import { parseObject } from "./projections/json-text.ts";

/** Parses a stored signed head; undefined if it is not one. */
export function parseHead(line: string): SignedHead | undefined {
  const { seq, head, first, at, key, signature } = parseObject(line) ?? {};
  const isWhole =
    typeof seq === "number" && [head, first, at, key, signature].every((field) => typeof field === "string");
  return isWhole
    ? { seq, head: `${head}`, first: `${first}`, at: `${at}`, key: `${key}`, signature: `${signature}` }
    : undefined;
}
