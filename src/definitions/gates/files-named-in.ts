import { basename, dirname, join } from "node:path";
import { parseGate } from "./gate-definition.ts";
import { isGateFile } from "./gate-file-names.ts";

/** Lists files that a definition names and that may be outside the usual parts: schemas of a gate, and paths with `../`. */
export function filesNamedIn(folder: string, path: string, text: string): readonly string[] {
  const above = text.includes("../") ? (text.match(/(?:\.\.\/)+[\p{L}\p{N}._-][\p{L}\p{N}/._ -]*/gu) ?? []) : [];
  return [...above.map((one) => join(dirname(path), one)), ...schemasIn(path, text).map((one) => join(folder, one))];
}

function schemasIn(path: string, text: string): readonly string[] {
  if (!isGateFile(basename(path)) || !/\bschema\b/.test(text)) return [];
  const read = parseGate(text);
  const checks = "gate" in read ? (read.gate.checks ?? []) : [];
  return checks.flatMap((check) => (check.kind === "file" && check.schema !== undefined ? [check.schema] : []));
}
