import { stepNamed } from "../../gates/resolve-routing.ts";
import { fieldValue } from "../../gates/value-type.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { sessionRun } from "../../workflow/session-view.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import type { Phase, PhasedWorkflow } from "./phased-workflow.ts";

/** A placeholder in a phase's text, such as `{{inputs.tasks}}`, `{{2.count}}` or `{{target_file}}`. */
const placeholder = /\{\{\s*([\p{L}\p{N}_-]+)(?:\.([\p{L}\p{N}_-]+))?\s*\}\}/gu;

/** The names that placeholders can use. */
type PlaceholderNames = Pick<PhasedWorkflow, "phases" | "inputs">;

/** Looks up the placeholders of a session's texts: its inputs, its item, and fields of its phases. */
export function sessionValues(
  workflow: PlaceholderNames,
  stream: StreamSnapshot,
  item: JsonObject | undefined = stream.session?.item?.values,
): LookUpValue {
  return (owner, name) => valueAt(owner, name, workflow, stream, item);
}

function valueAt(
  owner: string,
  name: string | undefined,
  { phases, inputs = [] }: PlaceholderNames,
  stream: StreamSnapshot,
  item: JsonObject | undefined,
): Json | undefined {
  const { session } = stream;
  if (name === undefined) return owner === "target_file" ? (session?.target ?? "") : undefined;
  if (owner === "item") return item === undefined ? undefined : fieldValue(item, name);
  if (owner === "inputs")
    return inputs.some((one) => one.name === name) ? (fieldValue(session?.inputs ?? {}, name) ?? "") : undefined;
  const phase = phaseNamed(owner, phases);
  if (!phase?.gate.requirements.some(({ field }) => field === name)) return undefined;
  const state = sessionRun(stream)?.steps.get(String(phase.number));
  return state?.status === "completed" ? fieldValue(state.submitted.evidence ?? {}, name) : "(not recorded)";
}

/** The placeholders of a text. */
export function placeholdersIn(
  text: string,
): readonly { readonly written: string; readonly owner: string; readonly name: string | undefined }[] {
  return [...text.matchAll(placeholder)].map(([written, owner = "", name]) => ({ written, owner, name }));
}

/** Fills the placeholders of a value once; one that is the whole text keeps its type. */
export function fillValue(value: Json, lookUp: LookUpValue): Json {
  if (Array.isArray(value)) return value.map((one) => fillValue(one, lookUp));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillValue(one, lookUp)]));
  if (typeof value !== "string") return value;
  const [only] = placeholdersIn(value);
  return only?.written === value.trim() ? (lookUp(only.owner, only.name) ?? null) : fillText(value, lookUp);
}

/** The value of a placeholder; undefined if it is not one of ours. */
export type LookUpValue = (owner: string, name: string | undefined) => Json | undefined;

/** Fills the placeholders of a text once: a value is text and is never read again. */
export function fillText(text: string, lookUp: LookUpValue): string {
  return text.replaceAll(placeholder, (written, owner: string, name?: string) => {
    const value = lookUp(owner, name);
    return value === undefined ? written : valueText(value);
  });
}

function valueText(value: Json): string {
  return typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);
}

function phaseNamed(written: string, phases: readonly Phase[]): Phase | undefined {
  const at = stepNamed(
    written,
    phases.map(({ number, name: title }) => ({ name: String(number), title })),
  );
  return at === undefined ? undefined : phases[at];
}

/** The placeholders of a phase's text that name no input, step or field. */
export function unknownPlaceholders(
  text: string,
  { phases, inputs = [] }: Pick<PhasedWorkflow, "phases" | "inputs">,
): readonly string[] {
  const odd = [...text.matchAll(placeholder)].flatMap(([written, owner = "", name]) => {
    if (name === undefined || owner === "item") return [];
    if (owner === "inputs") return inputs.some((one) => one.name === name) ? [] : [written];
    return phaseNamed(owner, phases)?.gate.requirements.some(({ field }) => field === name) ? [] : [written];
  });
  return [...odd, ...(text.match(malformed) ?? [])];
}

/** A text that begins like the placeholder of an input and is none. */
const malformed = /\{\{\s*inputs(?!\s*\.\s*[\p{L}\p{N}_-]+\s*\}\})[^{}]*\}\}/gu;
