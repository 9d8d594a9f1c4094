import type { Shown } from "../engine/reply.ts";
import { type Gap, type Gate, requiredFormat } from "../evidence/gate.ts";
import { comparisonsBeside } from "../evidence/gate-format.ts";
import { isObject, type Json, type JsonObject } from "../evidence/json.ts";

/** A phase as it is shown: its text, where that comes from, and its tasks. */
export function contentOf({ text: written, sources = [], parts = [] }: Shown): JsonObject {
  const text = tightJson(written);
  const tasks = parts.map(({ part, name }) => ({ task: Number(part), name }));
  return {
    content: text,
    sources,
    total_tokens: Math.ceil(text.length / 4),
    ...(tasks.length === 0 ? {} : { tasks }),
  };
}

/** A phase that a caller comes to: tasks that its text speaks of by number are not listed besides. */
export function openedContentOf(shown: Shown): JsonObject {
  const { parts = [], text } = shown;
  const isToldOf = parts.every(({ part }) => new RegExp(`\\btask ${Number(part)}\\b`, "i").test(text));
  return contentOf(isToldOf ? { ...shown, parts: [] } : shown);
}

/** So much of a phase goes out with a no of its own gate: whoever completes it has read it. */
const briefCharacters = 700;

/** The beginning of a phase that was shown whole when it was opened. */
export function briefContent(shown: Shown): JsonObject {
  const { text, sources = [] } = shown;
  if (text.length <= briefCharacters) return contentOf(shown);
  const end = Math.max(text.lastIndexOf("\n\n", briefCharacters), briefCharacters / 2);
  const rest = `… (cut: get_phase_content shows Phase ${shown.step} whole)`;
  return { content: `${text.slice(0, end).trimEnd()}\n${rest}`, sources, total_tokens: Math.ceil(text.length / 4) };
}

/** What a phase's gate asks for; a description that stands in the phase's text word for word is not said twice. */
export function criteriaOf({ gate, text }: Shown): JsonObject {
  if (gate === undefined) return { required_evidence: {} };
  const fields = Object.entries(requiredFormat(gate)).map(([field, format]): [string, Json] => {
    const { description, ...rest } = format;
    const isSaid = typeof description === "string" && text.includes(description);
    return [field, isSaid ? rest : format];
  });
  return criteria(gate, Object.fromEntries(fields), gate.comparisons);
}

/**
 * The same for whoever has the phase's text in the same reply: a field that the text names by its own name is described
 * there, and only type and rule are said; `get_phase_content` says the rest.
 */
export function briefCriteriaOf({ gate, text }: Shown): JsonObject {
  if (gate === undefined) return { required_evidence: {} };
  const [format, others] = [requiredFormat(gate), comparisonsBeside(gate)];
  const fields = Object.entries(format).map(([field, format]): [string, Json] => {
    const { description, required, ...rest } = format;
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

/** The form that evidence must have, whole for what is missing; a gap has said already what it is about. */
export function gapsOf({ gate }: Shown, gaps: readonly Gap[]): JsonObject {
  if (gate === undefined) return {};
  const missing = new Set(gaps.flatMap(({ field }) => field.split(", ")));
  const format = Object.entries(requiredFormat(gate)).map(([name, value]): [string, Json] => {
    const { description: _, ...rest } = value;
    return [name, missing.has(name) ? rest : { type: rest.type ?? "string" }];
  });
  const examples = Object.entries(gate.examples).map(([name, value]): [string, Json] => [name, shortExample(value)]);
  return { required_format: Object.fromEntries(format), examples: Object.fromEntries(examples) };
}

/** The documents show an example whole; a no reminds of its form. */
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

/** Takes the white space out of the fenced JSON in a document; what is no JSON stays as it stands. */
export function tightJson(document: string): string {
  return document.replaceAll(fence, (whole, start: string, json: string, end: string) => {
    const tight = withoutWhiteSpace(json);
    return tight === null ? whole : `${start}${tight}\n${end}`;
  });
}

const fence = /^(```json[ \t]*\n)([\s\S]*?)\n(```)[ \t]*$/gm;

/** Only what stands between strings is white space; numbers and names are not written anew. */
function withoutWhiteSpace(json: string): string | null {
  try {
    JSON.parse(json);
  } catch {
    return null;
  }
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text?: string) => text ?? "");
}
