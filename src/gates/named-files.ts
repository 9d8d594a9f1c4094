import type { Json, JsonObject } from "../kit/json.ts";
import type { Gate } from "./gate.ts";

/** The files named in the evidence where the gate asks for one, and those of `outputs.files`. */
export function filesNamed(gate: Gate | undefined, evidence: JsonObject, files: Json | undefined): readonly string[] {
  const asked = (gate?.requirements ?? []).filter(({ rules }) => rules.some(({ kind }) => kind === "file_exists"));
  const named: (Json | undefined)[] = [...asked.map(({ field }) => evidence[field]), files].flat();
  return named.filter((path) => typeof path === "string");
}

/** Says that a named file could not be recorded, and why. */
export function notRecordedMessage({ path, reason }: { readonly path: string; readonly reason: string }): string {
  const shown = path.length > 120 ? `…${path.slice(-119)}` : path;
  return `Not on record: ${JSON.stringify(shown)} (${reason}).`;
}
