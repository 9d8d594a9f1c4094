import type { Gate } from "./gate.ts";
import type { Json, JsonObject } from "./json.ts";

/** The files that the evidence names where the gate wants one, and those of `outputs.files`. */
export function filesNamed(gate: Gate | undefined, evidence: JsonObject, files: Json | undefined): readonly string[] {
  const asked = (gate?.requirements ?? []).filter(({ rules }) => rules.some(({ kind }) => kind === "file_exists"));
  const named: (Json | undefined)[] = [...asked.map(({ field }) => evidence[field]), files].flat();
  return named.filter((path) => typeof path === "string");
}

/** Says of a named file that it could not be put on record, and why. */
export function notOnRecord({ path, reason }: { readonly path: string; readonly reason: string }): string {
  const shown = path.length > 120 ? `…${path.slice(-119)}` : path;
  return `Not on record: ${JSON.stringify(shown)} (${reason}).`;
}
