import { canonical, type Json, type JsonObject } from "../kit/json.ts";
import type { EvidenceType } from "./gate.ts";
import { fieldValue, isBlank, isOfType } from "./value-type.ts";

/** The types of an input. */
export const inputTypes = ["string", "integer", "number", "boolean", "list", "object"] as const;

/** An input that a workflow declares. */
export type InputDeclaration = {
  readonly name: string;
  readonly type: (typeof inputTypes)[number] & EvidenceType;
  readonly required: boolean;
  readonly default?: Json;
  readonly oneOf?: readonly Json[];
  readonly description?: string;
};

/** The inputs of a session with their defaults, or what is wrong with those that were given. */
export type InputsGiven = { readonly inputs?: JsonObject } | { readonly problem: string; readonly fix: string };

/** Checks the inputs given to a workflow against those it declares, if that is known, and adds the defaults. */
export function giveInputs(declared: readonly InputDeclaration[] | undefined, given: JsonObject): InputsGiven {
  if (declared === undefined) return Object.keys(given).length === 0 ? {} : { inputs: given };
  const fix = declared.length === 0 ? "Leave inputs out." : `Inputs: ${declared.map(inputText).join("; ")}.`;
  const unknown = Object.keys(given).find((name) => !declared.some((one) => one.name === name));
  if (unknown !== undefined) return { problem: `this workflow has no input ${unknown.slice(0, 100)}`, fix };
  const entries: [string, Json][] = [];
  for (const input of declared) {
    const value = fieldValue(given, input.name) ?? input.default ?? null;
    const isMissing = value === null || (input.required && typeof value === "string" && isBlank(value));
    const problem = isMissing ? (input.required ? "is missing" : undefined) : inputProblem(input, value);
    if (problem !== undefined) return { problem: `the input ${input.name} ${problem}`, fix };
    if (value !== null) entries.push([input.name, value]);
  }
  return declared.length === 0 ? {} : { inputs: Object.fromEntries(entries) };
}

/** Reads inputs typed at a terminal by their declared types; what cannot be read stays a text. */
export function readInputTexts(
  declared: readonly InputDeclaration[],
  texts: { readonly [name: string]: string },
): JsonObject {
  const entries = Object.entries(texts).map(([name, text]): [string, Json] => {
    const { type = "string" } = declared.find((one) => one.name === name) ?? {};
    return [name, type === "string" ? text : (parseJson(text) ?? text)];
  });
  return Object.fromEntries(entries);
}

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Says why a value is not allowed for an input; undefined if it is. */
export function inputProblem({ type, oneOf }: InputDeclaration, value: Json): string | undefined {
  if (!isOfType(value, type)) return `must be ${/^[io]/.test(type) ? "an" : "a"} ${type}`;
  if (oneOf === undefined || oneOf.some((one) => canonical(one) === canonical(value))) return undefined;
  return `must be one of ${oneOf.map(valueText).join(", ")}`;
}

/** Describes an input for the one who gives it. */
export function inputText({ name, type, required, default: fallback, oneOf, description }: InputDeclaration): string {
  const choices = oneOf === undefined ? "" : `, one of ${oneOf.map(valueText).join(", ")}`;
  const need = required ? "required" : fallback === undefined ? "optional" : `default ${valueText(fallback)}`;
  return `${name} (${type}, ${need}${choices})${description === undefined ? "" : ` ${description}`}`;
}

function valueText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
