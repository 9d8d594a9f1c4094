import type { EvidenceType } from "../../../workflow/gate.ts";
import { readType } from "../words/type-words.ts";

/** The type that a cell of a table names, also by what the value is: a path, a date, a URL are texts. */
export function typeInCell(cell: string): EvidenceType | undefined {
  const [words = ""] = cell.toLowerCase().split(/[(,;:<>=≥≤[]/);
  const phrase = words.replaceAll(/[^\p{L}\p{N}/ -]/gu, " ").trim();
  if (/\b(?:list|array)s?$/.test(phrase)) return "list";
  const known = kinds.get(phrase);
  if (known !== undefined) return known;
  const read = readType(cell);
  if (read !== undefined) return read;
  const last = phrase.split(/\s+/).at(-1) ?? "";
  return phrase.includes("/") ? undefined : (readType(last) ?? kinds.get(last));
}

/** Tells whether a cell says that the value is one of several, so that they must be named somewhere. */
export function isChoiceType(cell: string): boolean {
  return /^(?:enum|enumeration|choice|select|one of)\b/i.test(cell.trim());
}

const kinds = new Map<string, EvidenceType>([
  ...of(
    "string",
    "path|file|filepath|filename|file name|url|uri|link|date|datetime|date-time|date/time|time|timestamp|email|e-mail|id|uuid|identifier|hash|sha|version|semver|name|markdown|document|report|screenshot|image|log|output|enumeration|choice|select|words|sentence|paragraph",
  ),
  ...of("integer", "whole number|natural number|counter"),
  ...of("number", "score|amount|rate|real|currency|seconds|minutes|hours|ms"),
  ...of("boolean", "yes/no|y/n|true/false|checkbox|tick|confirmation"),
  ...of("object", "json|json object|record|struct|key/value"),
]);

function of(type: EvidenceType, words: string): (readonly [string, EvidenceType])[] {
  return words.split("|").map((word) => [word, type] as const);
}
