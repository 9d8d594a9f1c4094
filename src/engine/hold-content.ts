import type { Gate } from "../evidence/gate.ts";
import type { Json, JsonObject } from "../evidence/json.ts";
import { mergeHandedIn } from "../workflow/desk.ts";
import type { ContentRecord, HandedIn, StepRef } from "../workflow/events.ts";
import type { DeskParts } from "./desk-parts.ts";
import { gateOf } from "./gates.ts";
import type { ContentRefusal } from "./ports.ts";
import type { CompleteRequest } from "./request.ts";
import { onFault, type Previewed } from "./transact.ts";

/** At most so many files go on record with one call because the evidence names them. */
const mostNamed = 50;

/** What holding a hand-in came to: the files on record, and our own readable one. */
export type HeldIn = {
  readonly records: readonly ContentRecord[];
  readonly record?: ContentRecord;
  readonly warnings: readonly string[];
};

/** Keeps everything that a hand-in puts on record: the files handed in, those that the evidence names, and, where it would count, our own readable record. */
export async function holdContent(
  parts: DeskParts,
  expected: Previewed,
  ref: StepRef,
  request: CompleteRequest,
  handed: HandedIn,
): Promise<HeldIn | { readonly refused: readonly ContentRefusal[] }> {
  const { id, content } = parts;
  const { reading, decision, desk } = expected;
  const given = request.content ?? [];
  const held = given.length === 0 ? nothing : await content.hold(id, ref, given, onFault(reading));
  if ("refused" in held) return held;
  const before = desk.runs.get(ref.workflow)?.steps.get(ref.step)?.handed ?? {};
  const all = mergeHandedIn(before, handed);
  const known = before.content ?? [];
  const taken = new Set(given.map(({ path }) => path));
  const named = filesNamed(gateOf(reading, ref), all.evidence ?? {}, all.outputs).map((written) =>
    content.nameOf(written),
  );
  const noted = await recordFiles(
    parts,
    ref,
    await notYetOnRecord(
      parts,
      ref,
      named.filter((one) => !taken.has(one)),
      known,
    ),
  );
  const counts = decision.events.some(({ type }) => type === "completed");
  for (const { path } of known) taken.add(path);
  const own = counts ? await holdRecord(parts, expected, ref, all, taken) : nothing;
  const [record] = own.records;
  return {
    records: [...held.records, ...noted.records],
    ...(record === undefined ? {} : { record }),
    warnings: [...held.warnings, ...noted.warnings, ...own.warnings],
  };
}

/** The named files that are not on record just so: what was handed in as a text counts, not what stands in its place. */
async function notYetOnRecord(
  { id, content }: DeskParts,
  ref: StepRef,
  named: readonly string[],
  known: readonly ContentRecord[],
): Promise<readonly string[]> {
  const again = known.filter(({ path }) => named.includes(path));
  const whole = (await content.read(id, ref, again)).flatMap((file) => ("text" in file ? [file.path] : []));
  return named.filter((path) => !whole.includes(path));
}

type Noted = { readonly records: readonly ContentRecord[]; readonly warnings: readonly string[] };

const nothing: Noted = { records: [], warnings: [] };

/** Keeps our own readable file; where it has no place, the completion counts all the same. */
async function holdRecord(
  { id, content, definitions: { record } }: DeskParts,
  { reading }: Previewed,
  ref: StepRef,
  { outputs = {} }: HandedIn,
  taken: ReadonlySet<string>,
): Promise<Noted> {
  const path = record?.path(ref) ?? "";
  if (record === undefined || taken.has(path) || Object.keys(outputs).length === 0) return nothing;
  const held = await content.hold(id, ref, [{ path, text: record.text(ref, outputs) }], onFault(reading));
  if (!("refused" in held)) return held;
  return { records: [], warnings: held.refused.map(({ reason }) => `No readable record at ${path}: ${reason}.`) };
}

/** The files that the evidence names where the gate wants one, and those of `outputs.files`. */
function filesNamed(gate: Gate | undefined, evidence: JsonObject, outputs: JsonObject | undefined): readonly string[] {
  const asked = (gate?.requirements ?? []).filter(({ rules }) => rules.some(({ kind }) => kind === "file_exists"));
  const named: (Json | undefined)[] = [...asked.map(({ field }) => evidence[field]), outputs?.files].flat();
  return named.filter((path) => typeof path === "string");
}

/** Puts files on record by size and hash; says which could not be. */
async function recordFiles({ id, content }: DeskParts, ref: StepRef, named: readonly string[]): Promise<Noted> {
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
