import type { Gate } from "./gate.ts";

/** Whether a gate asks for something that only a look outside the core can tell. */
export function looksOutside(gate: Gate): boolean {
  return gate.requirements.some(({ rules }) => rules.some(({ kind }) => outside.has(kind)));
}

const outside: ReadonlySet<string> = new Set(["matches", "file_exists", "directory_exists"]);
