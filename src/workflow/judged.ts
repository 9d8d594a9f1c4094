import type { Gate } from "../evidence/gate.ts";
import { digestOf, type Json, type JsonObject } from "../evidence/json.ts";
import type { HandedIn, Violation } from "./events.ts";
import type { Step, Workflow } from "./workflow.ts";

/** What a person is shown of a hand-in, and says yes or no to: outputs, evidence, the files' hashes, what the rules found. */
export function shownToAPerson({ outputs, evidence, content }: HandedIn, violations?: readonly Violation[]): Json {
  const files = (content ?? []).map(({ path, sha256 }): [string, string] => [path, sha256]);
  return {
    outputs: outputs ?? {},
    evidence: evidence ?? {},
    content: Object.fromEntries(files),
    ...(violations === undefined ? {} : { violations: violations.map(plain) }),
  };
}

function plain({ rule, severity, file, line, message }: Violation): JsonObject {
  return { rule, severity, file, message, ...(line === undefined ? {} : { line }) };
}

/** The version of the form in which the meaning of what judges a step is put: another form is another version. */
const form = 1;

/** Names what a step is judged by: the meaning of its gate and rules, and the sequence it stands in. */
export function judgedBy(step: Step, { name, steps }: Workflow, rules: Json | undefined): string {
  const sequence = steps.map((one) => (one.skip === undefined ? one.name : { name: one.name, skip: one.skip }));
  const meaning: JsonObject = {
    workflow: name,
    step: step.name,
    sequence,
    auto: step.auto,
    gate: step.gate === undefined ? null : meaningOf(step.gate),
    ...(rules === undefined ? {} : { rules }),
  };
  return `${form}:${digestOf(meaning)}`;
}

/** A gate without its words: descriptions, examples and where a demand is written do not change what it asks for. */
function meaningOf({ requirements, comparisons, rulesHold, approval, closed }: Gate): JsonObject {
  const fields = requirements.map(({ field, type, required, rules, mayBeEmpty }): [string, JsonObject] => [
    field,
    { type, required, rules: rules.map((rule) => ({ ...rule })), ...(mayBeEmpty ? { mayBeEmpty } : {}) },
  ]);
  return {
    requirements: Object.fromEntries(fields),
    comparisons: comparisons.map(({ left, is, right }) => ({ left, is, right })),
    rulesHold,
    approval,
    closed: closed !== undefined,
  };
}
