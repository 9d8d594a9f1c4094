import type { Gate } from "./gate.ts";
import type { Json, JsonObject } from "./json.ts";

/** The files that the evidence names where the gate wants one, and those of `outputs.files`. */
export function filesNamed(gate: Gate | undefined, evidence: JsonObject, files: Json | undefined): readonly string[] {
  const asked = (gate?.requirements ?? []).filter(({ rules }) => rules.some(({ kind }) => kind === "file_exists"));
  const named: (Json | undefined)[] = [...asked.map(({ field }) => evidence[field]), files].flat();
  return named.filter((path) => typeof path === "string");
}
