import { mergeHandedIn } from "../workflow/desk.ts";
import type { ContentRecord, HandedIn, StepRef } from "../workflow/events.ts";
import type { Gate } from "../workflow/gate.ts";
import type { Json, JsonObject } from "../workflow/json.ts";
import type { DeskParts } from "./desk-parts.ts";
import { gateOf } from "./gates.ts";
import type { Held } from "./ports.ts";
import type { CompleteRequest } from "./request.ts";
import { onFault, type Previewed } from "./transact.ts";

/** At most so many files go on record with one call because the evidence names them. */
const mostNamed = 50;

/** Keeps everything that a hand-in puts on record: the files handed in, those that the evidence names, and our own readable record. */
export async function holdContent(
  parts: DeskParts,
  expected: Previewed,
  ref: StepRef,
  request: CompleteRequest,
  handed: HandedIn,
): Promise<Held> {
  const { id, content, definitions } = parts;
  const fault = onFault(expected.reading);
  const given = request.content ?? [];
  const held = given.length === 0 ? nothing : await content.hold(id, ref, given, fault);
  if ("refused" in held) return held;
  const taken = new Set(given.map(({ path }) => path));
  const before = expected.desk.runs.get(ref.workflow)?.steps.get(ref.step)?.handed ?? {};
  const all = mergeHandedIn(before, handed);

  const { record: readable } = definitions;
  const { outputs = {} } = all;
  const path = readable?.path(ref) ?? "";
  const isWanted = readable !== undefined && !taken.has(path) && Object.keys(outputs).length > 0;
  const own = isWanted ? [{ path, text: readable.text(ref, outputs) }] : [];
  const kept = own.length === 0 ? nothing : await content.hold(id, ref, own, fault);
  // Our own readable file may have no place: the completion counts all the same.
  const record = "refused" in kept ? { records: [], warnings: kept.refused.map(unwritten) } : kept;

  const named = filesNamed(gateOf(expected.reading, ref), all.evidence ?? {}, all.outputs).filter(
    (one) => !taken.has(one),
  );
  const noted = await recordFiles(parts, ref, named);
  const everything = [held, noted, record];
  return {
    records: everything.flatMap(({ records }) => records),
    warnings: everything.flatMap(({ warnings }) => warnings),
  };
}

const nothing = { records: [], warnings: [] };

function unwritten({ path, reason }: { readonly path: string; readonly reason: string }): string {
  return `No readable record at ${path}: ${reason}.`;
}

/** The files that the evidence names where the gate wants one, and those of `outputs.files`. */
function filesNamed(gate: Gate | undefined, evidence: JsonObject, outputs: JsonObject | undefined): readonly string[] {
  const asked = (gate?.requirements ?? []).filter(({ rules }) => rules.some(({ kind }) => kind === "file_exists"));
  const named: (Json | undefined)[] = [...asked.map(({ field }) => evidence[field]), outputs?.files].flat();
  return named.filter((path) => typeof path === "string");
}

/** Puts files on record by size and hash; says which could not be. */
async function recordFiles(
  { id, content }: DeskParts,
  ref: StepRef,
  named: readonly string[],
): Promise<{ readonly records: readonly ContentRecord[]; readonly warnings: readonly string[] }> {
  const paths = [...new Set(named)];
  const records: ContentRecord[] = [];
  const warnings: string[] = [];
  for (const path of paths.slice(0, mostNamed)) {
    const held = await content.hold(id, ref, [{ path }], "refuse");
    if ("records" in held) records.push(...held.records);
    else warnings.push(...held.refused.map(({ reason }) => `Not on record: ${clipped(path)} (${reason}).`));
  }
  const rest = paths.slice(mostNamed);
  if (rest.length > 0)
    warnings.push(
      `Not on record: ${rest.length} files, ${clipped(rest[0] ?? "")} the first of them (only ${mostNamed} files go into one call).`,
    );
  return { records, warnings };
}

function clipped(path: string): string {
  return JSON.stringify(path.length > 120 ? `…${path.slice(-119)}` : path);
}
