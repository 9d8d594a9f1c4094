import type { Gate } from "../gates/gate.ts";
import { foldPaths } from "../kit/fold-names.ts";
import type { Json, JsonObject } from "../kit/json.ts";
import { withReadableRecord } from "../workflow/close-step.ts";
import type { OpenStep } from "../workflow/decision-context.ts";
import type { ContentRecord, StepRef } from "../workflow/events.ts";
import type { Decision } from "../workflow/outcome.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { ContentItem, ContentRefusal, HeldContent } from "./ports/content.ts";
import type { CompleteRequest } from "./request.ts";
import type { Loaded, PreparedDecision } from "./transact.ts";

/** At most this many files named by evidence go on record with one call. */
const maxNamedFiles = 50;

/** The files of a submission put on record, those that could not be, and warnings. */
export type HeldSubmission = {
  readonly records: readonly ContentRecord[];
  readonly unread?: readonly ContentRefusal[] | undefined;
  readonly warnings: readonly string[];
};

/** Holds every file of a submission: those submitted, and those its evidence names. */
export async function holdContent(
  deps: EngineDeps,
  { situation: { stream } }: Loaded,
  { ref, step, state }: OpenStep,
  request: CompleteRequest,
): Promise<HeldSubmission | Exclude<HeldContent, { records: unknown }>> {
  const { id, content } = deps;
  const given = request.content ?? [];
  const over = readableRecordClash(given, stream);
  if (over.length > 0) return { refused: over };
  const held = given.length === 0 ? noContent : await content.hold(id, ref, given);
  if (!("records" in held)) return held;
  const { evidence = state.submitted.evidence ?? {} } = request;
  const { files } = { ...state.submitted.outputs, ...request.outputs };
  const taken = new Set(given.map(({ path }) => path));
  const named = filesNamed(step.gate, evidence, files)
    .map((written) => content.normalizePath(written))
    .filter((one) => !taken.has(one));
  const noted = await recordFiles(deps, ref, await notRecordedYet(deps, ref, named, state.submitted.content ?? []));
  return { ...noted, records: [...held.records, ...noted.records], warnings: [...held.warnings, ...noted.warnings] };
}

/** Refuses content at the path of a step's readable record, however it is spelled. */
function readableRecordClash(given: readonly ContentItem[], { runs }: StreamSnapshot): readonly ContentRefusal[] {
  if (given.length === 0) return [];
  const steps = [...runs.values()].flatMap((run) => [...run.steps.values()]);
  const onRecord = steps.flatMap(({ submitted }) => submitted.content ?? []);
  const taken = new Set(foldPaths(onRecord.flatMap(({ readable, path }) => (readable === true ? [path] : []))));
  const reason = "it is the path of a step's readable record";
  return given.flatMap(({ path }) => (foldPaths([path]).some((one) => taken.has(one)) ? [{ path, reason }] : []));
}

/** Adds the content that is saved with a completion, our readable record included. */
export async function prepareContent(deps: EngineDeps, decision: Decision): Promise<PreparedDecision> {
  const { texts, ...held } = await holdReadableRecord(deps, decision);
  const { events, outcome } = held.decision;
  const counted = events.find((event) => event.type === "completed");
  const { content: records = [] } = counted !== undefined && "submitted" in outcome ? outcome.submitted : {};
  if (counted === undefined || records.length === 0 || deps.content.prepare === undefined) return held;
  return { ...held, saving: { ref: counted, records, texts } };
}

/** Holds our readable record unless its path is taken; without one the completion still counts. */
async function holdReadableRecord(
  { id, content, definitions: { record } }: EngineDeps,
  decision: Decision,
): Promise<PreparedDecision & { readonly texts: readonly string[] }> {
  const counted = decision.events.find((event) => event.type === "completed");
  if (record === undefined || counted === undefined) return { decision, warnings: [], texts: [] };
  const { outputs = {} } = counted;
  const path = record.path(counted);
  const isTaken = counted.content?.some((file) => file.path === path) === true;
  if (isTaken || Object.keys(outputs).length === 0) return { decision, warnings: [], texts: [] };
  const text = record.text(counted, outputs);
  const items = [{ path, text, readable: true }] as const;
  const held = await (content.prepare?.(items) ?? content.hold(id, counted, items));
  if ("unstored" in held) {
    const warnings = held.unstored.map((unstored) => `No readable record at ${unstored}: it cannot be stored now.`);
    return { decision, warnings, texts: [] };
  }
  if ("refused" in held) {
    const warnings = held.refused.map(({ reason }) => `No readable record at ${path}: ${reason}.`);
    return { decision, warnings, texts: [] };
  }
  return { decision: held.records.reduce(withReadableRecord, decision), warnings: held.warnings, texts: [text] };
}

/** The named files not yet on record as they are; a submitted text counts, not the file at its path. */
async function notRecordedYet(
  { id, content }: EngineDeps,
  ref: StepRef,
  named: readonly string[],
  known: readonly ContentRecord[],
): Promise<readonly string[]> {
  const again = known.filter(({ path }) => named.includes(path));
  if (again.length === 0) return named;
  const whole = (await content.read(id, ref, again)).flatMap((file) => ("text" in file ? [file.path] : []));
  return named.filter((path) => !whole.includes(path));
}

const noContent: HeldSubmission = { records: [], warnings: [] };

/** Puts files on record by size and hash, and lists those that could not be. */
async function recordFiles(
  { id, content }: EngineDeps,
  ref: StepRef,
  named: readonly string[],
): Promise<HeldSubmission> {
  const paths = [...new Set(named)];
  const records: ContentRecord[] = [];
  const unread: ContentRefusal[] = [];
  for (const path of paths.slice(0, maxNamedFiles)) {
    const held = await content.hold(id, ref, [{ path }]);
    if ("records" in held) records.push(...held.records);
    else if ("refused" in held) unread.push(...held.refused);
  }
  const [first] = paths.slice(maxNamedFiles);
  if (first !== undefined) unread.push({ path: first, reason: `only ${maxNamedFiles} files go into one call` });
  return { records, unread, warnings: unread.map(notRecordedMessage) };
}

/** The files named in the evidence where the gate asks for one, and those of `outputs.files`. */
function filesNamed(gate: Gate | undefined, evidence: JsonObject, files: Json | undefined): readonly string[] {
  const asked = (gate?.requirements ?? []).filter(({ rules }) => rules.some(({ kind }) => kind === "file_exists"));
  const named: (Json | undefined)[] = [...asked.map(({ field }) => evidence[field]), files].flat();
  return named.filter((path) => typeof path === "string");
}

/** Says that a named file could not be recorded, and why. */
function notRecordedMessage({ path, reason }: { readonly path: string; readonly reason: string }): string {
  const shown = path.length > 120 ? `…${path.slice(-119)}` : path;
  return `Not on record: ${JSON.stringify(shown)} (${reason}).`;
}
