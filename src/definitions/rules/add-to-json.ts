import { type Correction, checkMessage } from "../../gates/correction.ts";
import {
  andThen,
  appendAt,
  type EditStep,
  type OpenJson,
  openJson,
  type Path,
  setAt,
  valueAt,
} from "../../kit/edit-json.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { readExamples } from "./rule-examples.ts";

/** The result of adding a correction: the new text, no change, or why it is refused. */
export type AddResult = { readonly text: string } | { readonly unchanged: true } | { readonly refused: string };

/** Adds a correction to the rule at a path of a JSON text, and keeps everything else, layout included. */
export function addToJson(text: string, at: Path, name: string, correction: Correction): AddResult {
  const open = openJson(text);
  if ("problem" in open) return { refused: open.problem };
  const found = valueAt(open, at);
  const rule = typeof found === "string" ? { name, description: found } : found;
  if (!isObject(rule)) return { refused: "its file has just changed; call again" };
  const added = [...examplesToAdd(rule, correction), ...checksToAdd(rule, correction)];
  if (added.length === 0) return { unchanged: true };
  const edited = added.reduce<EditStep>(
    (step, [key, item]) => andThen(step, (now) => addTo(now, [...at, key], item)),
    isObject(found) ? open : setAt(open, at, rule),
  );
  return "problem" in edited ? { refused: edited.problem } : { text: edited.text };
}

/** An item for one of a rule's lists. */
type Addition = readonly [key: string, item: Json];

/** Appends an item to a list, which may be missing or a single item. */
function addTo(open: OpenJson, at: Path, item: Json): EditStep {
  const there = valueAt(open, at);
  if (Array.isArray(there)) return appendAt(open, at, item);
  return setAt(open, at, [...listed(there), item]);
}

function examplesToAdd(rule: JsonObject, { do: right, dont }: Correction): Addition[] {
  const isKnown = readExamples(rule).some((example) => example.do === right && example.dont === dont);
  return isKnown ? [] : [["examples", { do: right, dont }]];
}

function checksToAdd(rule: JsonObject, correction: Correction): Addition[] {
  const { pattern } = correction;
  if (pattern === undefined) return [];
  const checks = listed(rule.checks);
  const isKnown = checks.some(
    (check) => isObject(check) && (check.type ?? check.kind) === "must_not_match" && check.pattern === pattern,
  );
  if (isKnown) return [];
  return [["checks", { type: "must_not_match", pattern, ...reachOf(checks), message: checkMessage(correction) }]];
}

/** Copies glob and severity of the rule's first check to a new one. */
function reachOf([first]: readonly Json[]): JsonObject {
  if (!isObject(first)) return {};
  return Object.fromEntries(Object.entries(first).filter(([key]) => key === "glob" || key === "severity"));
}

function listed(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}
