import { overReadable } from "../evidence/content-path.ts";
import { filesNamed, notOnRecord } from "../evidence/files-named.ts";
import { type OpenStep, withRecord } from "../workflow/close-step.ts";
import type { ContentRecord, StepRef } from "../workflow/events.ts";
import type { Decision } from "../workflow/outcome.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { ContentRefusal } from "./ports.ts";
import type { CompleteRequest } from "./request.ts";
import { onFault, type Readied, type Surveyed } from "./transact.ts";

/** At most so many files go on record with one call because the evidence names them. */
const mostNamed = 50;

/** What holding a hand-in came to: the files on record, the named ones that could not be put there, and what is to be said. */
export type HeldIn = {
  readonly records: readonly ContentRecord[];
  readonly unread?: readonly ContentRefusal[] | undefined;
  readonly warnings: readonly string[];
};

/** Keeps every file that a hand-in puts on record: those handed in, and those that the evidence names. */
export async function holdContent(
  parts: DeskParts,
  { reading, situation: { desk } }: Surveyed,
  { ref, step, state }: OpenStep,
  request: CompleteRequest,
): Promise<HeldIn | { readonly refused: readonly ContentRefusal[] }> {
  const { id, content } = parts;
  const given = request.content ?? [];
  const onRecord = [...desk.runs.values()].flatMap(({ steps }) =>
    [...steps.values()].map(({ handed }) => handed.content),
  );
  const over = overReadable(given, onRecord.flat());
  if (over.length > 0) return { refused: over };
  const held = given.length === 0 ? nothing : await content.hold(id, ref, given, onFault(reading));
  if ("refused" in held) return held;
  const { evidence = state.handed.evidence ?? {} } = request;
  const { files } = { ...state.handed.outputs, ...request.outputs };
  const taken = new Set(given.map(({ path }) => path));
  const named = filesNamed(step.gate, evidence, files)
    .map((written) => content.nameOf(written))
    .filter((one) => !taken.has(one));
  const noted = await recordFiles(parts, ref, await notYetOnRecord(parts, ref, named, state.handed.content ?? []));
  return { ...noted, records: [...held.records, ...noted.records], warnings: [...held.warnings, ...noted.warnings] };
}

/** Adds what is saved with a completion: what was handed in, and our own readable file with what counts now. */
export async function readyContent(parts: DeskParts, decision: Decision, surveyed: Surveyed): Promise<Readied> {
  const { texts, ...held } = await holdRecord(parts, decision, surveyed);
  const { events, outcome } = held.decision;
  const counted = events.find((event) => event.type === "completed");
  const { content: records = [] } = counted !== undefined && "handed" in outcome ? outcome.handed : {};
  if (counted === undefined || records.length === 0 || parts.content.prepare === undefined) return held;
  return { ...held, saving: { ref: counted, records, texts } };
}

/** Keeps our own readable file, or has it kept with the record, unless its place is taken; where it has none, the completion counts all the same. */
async function holdRecord(
  { id, content, definitions: { record } }: DeskParts,
  decision: Decision,
  { reading }: Surveyed,
): Promise<Readied & { readonly texts: readonly string[] }> {
  const counted = decision.events.find((event) => event.type === "completed");
  if (record === undefined || counted === undefined) return { decision, warnings: [], texts: [] };
  const { outputs = {} } = counted;
  const path = record.path(counted);
  const isTaken = counted.content?.some((file) => file.path === path) === true;
  if (isTaken || Object.keys(outputs).length === 0) return { decision, warnings: [], texts: [] };
  const text = record.text(counted, outputs);
  const items = [{ path, text, readable: true }] as const;
  const held = await (content.prepare?.(items) ?? content.hold(id, counted, items, onFault(reading)));
  if ("refused" in held) {
    const warnings = held.refused.map(({ reason }) => `No readable record at ${path}: ${reason}.`);
    return { decision, warnings, texts: [] };
  }
  return { decision: held.records.reduce(withRecord, decision), warnings: held.warnings, texts: [text] };
}

/** The named files that are not on record just so: what was handed in as a text counts, not what stands in its place. */
async function notYetOnRecord(
  { id, content }: DeskParts,
  ref: StepRef,
  named: readonly string[],
  known: readonly ContentRecord[],
): Promise<readonly string[]> {
  const again = known.filter(({ path }) => named.includes(path));
  if (again.length === 0) return named;
  const whole = (await content.read(id, ref, again)).flatMap((file) => ("text" in file ? [file.path] : []));
  return named.filter((path) => !whole.includes(path));
}

const nothing: HeldIn = { records: [], warnings: [] };

/** Puts files on record by size and hash; says which could not be. */
async function recordFiles({ id, content }: DeskParts, ref: StepRef, named: readonly string[]): Promise<HeldIn> {
  const paths = [...new Set(named)];
  const records: ContentRecord[] = [];
  const unread: ContentRefusal[] = [];
  for (const path of paths.slice(0, mostNamed)) {
    const held = await content.hold(id, ref, [{ path }], "refuse");
    if ("records" in held) records.push(...held.records);
    else unread.push(...held.refused);
  }
  const [first] = paths.slice(mostNamed);
  if (first !== undefined) unread.push({ path: first, reason: `only ${mostNamed} files go into one call` });
  return { records, unread, warnings: unread.map(notOnRecord) };
}
