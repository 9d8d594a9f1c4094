import { stepNamed } from "../../gates/resolve-routing.ts";
import { fieldValue } from "../../gates/value-type.ts";
import type { Json } from "../../kit/json.ts";
import { sessionRun } from "../../workflow/session-view.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import type { Phase, PhasedWorkflow } from "./phased-workflow.ts";

/** A placeholder in a phase's text, such as `{{inputs.tasks}}`, `{{2.count}}` or `{{target_file}}`. */
const placeholder = /\{\{\s*([\p{L}\p{N}_-]+)(?:\.([\p{L}\p{N}_-]+))?\s*\}\}/gu;

/** Fills the placeholders in a phase's text once: a value is text and is never read again. */
export function fillPlaceholders(text: string, workflow: PhasedWorkflow, stream: StreamSnapshot): string {
  return text.replaceAll(placeholder, (written, owner: string, name?: string) => {
    const value = valueAt(owner, name, workflow, stream);
    return value === undefined ? written : valueText(value);
  });
}

/** The value of a placeholder; undefined if it is not one of ours. */
function valueAt(
  owner: string,
  name: string | undefined,
  { phases, inputs = [] }: Pick<PhasedWorkflow, "phases" | "inputs">,
  stream: StreamSnapshot,
): Json | undefined {
  const { session } = stream;
  if (name === undefined) return owner === "target_file" ? (session?.target ?? "") : undefined;
  if (owner === "inputs")
    return inputs.some((one) => one.name === name) ? (fieldValue(session?.inputs ?? {}, name) ?? "") : undefined;
  const phase = phaseNamed(owner, phases);
  if (!phase?.gate.requirements.some(({ field }) => field === name)) return undefined;
  const state = sessionRun(stream)?.steps.get(String(phase.number));
  return state?.status === "completed" ? fieldValue(state.submitted.evidence ?? {}, name) : "(not recorded)";
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
