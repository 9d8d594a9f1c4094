import type { RevealedStep } from "../engine/reply.ts";
import type { Gap, Gate } from "../gates/gate.ts";
import { comparisonsBeside, requiredFormat } from "../gates/gate-format.ts";
import { isObject, type Json, type JsonObject } from "../kit/json.ts";
import { shownItems } from "../messages/item-texts.ts";
import { fitSubmitted } from "./fit-artifacts.ts";

/** A phase as shown: its text, sources and tasks. */
export function phaseContent({ text: written, sources = [], parts = [] }: RevealedStep): JsonObject {
  const text = tightJson(written);
  const tasks = parts.map(({ part, name }) => ({ task: Number(part), name }));
  return {
    content: text,
    sources,
    total_tokens: Math.ceil(text.length / 4),
    ...(tasks.length === 0 ? {} : { tasks }),
  };
}

/** The round, role and items of a phase, and what the phase that led back to it submitted. */
export function roundContent({ round, ...shown }: RevealedStep): JsonObject {
  if (round === undefined) return {};
  const items = shown.calls === undefined ? undefined : shownItems(shown);
  const { number, role, cameBackFrom } = round;
  const { step, submitted = {} } = cameBackFrom ?? {};
  const { evidence = {}, outputs = {} } = submitted;
  const artifacts = fitSubmitted({ ...outputs, ...evidence });
  return {
    round: number,
    ...(role === undefined ? {} : { role }),
    ...(items === undefined ? {} : { items }),
    ...(step === undefined ? {} : { came_back_from: { phase: Number(step), artifacts } }),
  };
}

/** A newly opened phase; tasks that its text mentions by number are not listed again. */
export function openedContent(shown: RevealedStep): JsonObject {
  const { parts = [], text } = shown;
  const isNotifiedOf = parts.every(({ part }) => new RegExp(`\\btask ${Number(part)}\\b`, "i").test(text));
  return phaseContent(isNotifiedOf ? { ...shown, parts: [] } : shown);
}

/** The limit of phase text in a refusal by its own gate: the caller has read it. */
const briefCharacters = 700;

/** The beginning of a phase that was shown in full when it was opened. */
export function briefContent(shown: RevealedStep): JsonObject {
  const { text, sources = [] } = shown;
  if (text.length <= briefCharacters) return phaseContent(shown);
  const end = Math.max(text.lastIndexOf("\n\n", briefCharacters), briefCharacters / 2);
  const rest = `… (cut: get_phase_content shows all of Phase ${shown.step})`;
  return { content: `${text.slice(0, end).trimEnd()}\n${rest}`, sources, total_tokens: Math.ceil(text.length / 4) };
}

/** The evidence a gate requires; a description that the phase's text already contains is left out. */
export function gateCriteria({ gate, text }: RevealedStep): JsonObject {
  if (gate === undefined) return { required_evidence: {} };
  const fields = Object.entries(requiredFormat(gate)).map(([field, format]): [string, Json] => {
    const { description, ...rest } = format;
    const isSaid = !gate.isFromProse && typeof description === "string" && text.includes(description);
    return [field, isSaid ? rest : format];
  });
  return criteria(gate, Object.fromEntries(fields), gate.comparisons);
}

/** The same for a caller with the phase's text in the same reply: a field that the text names gets only type and rule; `get_phase_content` has the rest. */
export function briefCriteria({ gate, text }: RevealedStep): JsonObject {
  if (gate === undefined) return { required_evidence: {} };
  const [format, others] = [requiredFormat(gate), comparisonsBeside(gate)];
  const fields = Object.entries(format).map(([field, format]): [string, Json] => {
    const { description, required, checked, ...rest } = format;
    if (gate.isFromProse) return [field, { ...format, required: required !== false }];
    const isNamed = [`"${field}"`, `\`${field}\``].some((name) => text.includes(name));
    const isSaid = isNamed || (typeof description === "string" && text.includes(description));
    return [field, { ...rest, ...(required === false ? { required } : {}), ...(isSaid ? {} : { description }) }];
  });
  return criteria(gate, Object.fromEntries(fields), others);
}

function criteria(gate: Gate, fields: JsonObject, comparisons: Gate["comparisons"]): JsonObject {
  return {
    required_evidence: fields,
    ...(comparisons.length === 0 ? {} : { also: comparisons.map(({ message }) => message) }),
    ...(gate.approval ? { approval: "a person must approve" } : {}),
  };
}

/** The required format of missing evidence; other fields get only their type. */
export function gapDetails({ gate }: RevealedStep, gaps: readonly Gap[]): JsonObject {
  if (gate === undefined) return {};
  const missing = new Set(gaps.flatMap(({ field }) => field.split(", ")));
  const format = Object.entries(requiredFormat(gate)).map(([name, value]): [string, Json] => {
    const { description, ...rest } = value;
    const { type = "string", checked = true } = rest;
    return [name, missing.has(name) ? { ...rest, ...(gate.isFromProse ? { description } : {}) } : { type, checked }];
  });
  const examples = Object.entries(gate.examples).map(([name, value]): [string, Json] => [name, shortExample(value)]);
  return { required_format: Object.fromEntries(format), examples: Object.fromEntries(examples) };
}

/** Shortens an example to a reminder of its form; the documents show it in full. */
function shortExample(value: Json): Json {
  if (typeof value === "string")
    return value.length <= 60 ? value : `${[...value.slice(0, 120)].slice(0, 60).join("")}…`;
  if (Array.isArray(value)) {
    const items = value.slice(0, 2).map(shortExample);
    return value.length > 2 ? [...items, "…"] : items;
  }
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  const shown = entries.slice(0, 2).map(([key, item]): [string, Json] => [key, shortExample(item)]);
  return Object.fromEntries(entries.length > 2 ? [...shown, ["…", "…"]] : shown);
}

/** Removes white space from fenced JSON in a document; anything else stays as it is. */
export function tightJson(document: string): string {
  return document.replaceAll(fence, (whole, start: string, json: string, end: string) => {
    const tight = withoutWhiteSpace(json);
    return tight === null ? whole : `${start}${tight}\n${end}`;
  });
}

const fence = /^(```json[ \t]*\n)([\s\S]*?)\n(```)[ \t]*$/gm;

/** White space inside strings stays; numbers and names are not rewritten. */
function withoutWhiteSpace(json: string): string | null {
  try {
    JSON.parse(json);
  } catch {
    return null;
  }
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text?: string) => text ?? "");
}
