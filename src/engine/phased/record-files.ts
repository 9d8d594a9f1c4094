import type { ContentRecord, StepRef } from "../../workflow/events.ts";
import type { Gate } from "../../workflow/gate.ts";
import type { Json, JsonObject } from "../../workflow/json.ts";
import type { PhasedParts } from "./phased-engine.ts";
import { sameTarget } from "./session-id.ts";

/** At most so many files go on record with one call. */
const mostFiles = 50;

/** The files that the evidence names where the gate wants one, and those of `outputs.files`. */
export function filesNamed(gate: Gate, evidence: JsonObject, outputs: JsonObject | undefined): readonly string[] {
  const asked = gate.requirements.filter(({ rules }) => rules.some(({ kind }) => kind === "file_exists"));
  const named: (Json | undefined)[] = [...asked.map(({ field }) => evidence[field]), outputs?.files].flat();
  return named.filter((path) => typeof path === "string");
}

/** Puts files on record by size and hash, by their place in the project area however it is written; says which could not be. */
export async function recordFiles(
  { content, projectArea }: PhasedParts,
  ref: StepRef,
  named: readonly string[],
): Promise<{ readonly records: readonly ContentRecord[]; readonly warnings: readonly string[] }> {
  const paths = [...new Set(named.map((path) => sameTarget(path, projectArea)))];
  const records: ContentRecord[] = [];
  const warnings: string[] = [];
  for (const path of paths.slice(0, mostFiles)) {
    const held = await content.hold(ref, [{ path }]);
    if ("records" in held) records.push(...held.records);
    else warnings.push(...held.refused.map(({ reason }) => `Not on record: ${clipped(path)} (${reason}).`));
  }
  const rest = paths.slice(mostFiles);
  if (rest.length > 0)
    warnings.push(
      `Not on record: ${rest.length} files, ${clipped(rest[0] ?? "")} the first of them (only ${mostFiles} files go into one call).`,
    );
  return { records, warnings };
}

function clipped(path: string): string {
  return JSON.stringify(path.length > 120 ? `…${path.slice(-119)}` : path);
}
