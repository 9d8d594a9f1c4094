import type { RuleCheck } from "../../gates/rule.ts";
import { defined } from "../../kit/defined.ts";
import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import type { JsonPath } from "../files/json-locations.ts";
import { findPatternProblem } from "./pattern-problem.ts";

/** Reads a schema from its own file. */
export type ReadSchema = (file: string) => { readonly schema: JsonObject } | { readonly unusable: string };

const kinds = ["must_match", "must_not_match", "required_headings", "forbidden_words", "max_length", "json_schema"];
const units = ["lines", "words", "characters"] as const;
const known: readonly string[] = [
  ...["type", "kind", "glob", "severity", "message", "pattern", "flags", "headings", "words", "lines", "characters"],
  ...["unit", "limit", "schema", "schema_file", "required", "name", "description", "note", "comment"],
];

/** The keys of a rule that are checks themselves. */
export const checkKeys: readonly string[] = ["checks", "check", ...kinds];

/** The checks of a rule as written, each with its place in the rule; one entry may hold several. */
export function writtenChecks(rule: JsonObject): { readonly check: Json; readonly at: JsonPath }[] {
  const entries = (key: string): { readonly value: Json; readonly at: JsonPath }[] => {
    const { [key]: value } = rule;
    const isListed = Array.isArray(value) && ["checks", "check", "must_match", "must_not_match"].includes(key);
    if (isListed) return value.map((one: Json, index) => ({ value: one, at: [key, index] }));
    return value === undefined ? [] : [{ value, at: [key] }];
  };
  return checkKeys.flatMap((key) =>
    entries(key).flatMap(({ value, at }) =>
      (kinds.includes(key) ? spellOut(key, value) : spelledOut(value)).map((check) => ({ check, at })),
    ),
  );
}

/** Reads the checks of a rule; an invalid one becomes a check that always fails. */
export function readChecks(rule: JsonObject, readSchema: ReadSchema): RuleCheck[] {
  // Settings of the rule apply to each check that does not set its own.
  const shared = Object.fromEntries(
    Object.entries(rule).filter(([key]) => ["glob", "severity", "message", "flags"].includes(key)),
  );
  return writtenChecks(rule).map(({ check }) => readCheck(check, shared, readSchema));
}

/** Expands the short form of a check: `{"must_not_match": "TODO"}`. */
function spelledOut(check: Json): Json[] {
  if (!isObject(check) || check.type !== undefined || check.kind !== undefined) return [check];
  const [kind, ...others] = kinds.filter((name) => check[name] !== undefined);
  if (kind === undefined || others.length > 0) return [check];
  const { [kind]: value = null, ...rest } = check;
  return spellOut(kind, value).map((part) => (isObject(part) ? { ...rest, ...part } : part));
}

function spellOut(kind: string, value: Json): Json[] {
  switch (kind) {
    case "required_headings":
      return [isObject(value) ? { ...value, type: kind } : { type: kind, headings: value }];
    case "forbidden_words":
      return [isObject(value) ? { ...value, type: kind } : { type: kind, words: value }];
    case "max_length":
      return [isObject(value) ? { ...value, type: kind } : { type: kind, limit: value }];
    case "json_schema":
      if (typeof value === "string") return [{ type: kind, schema_file: value }];
      if (isObject(value) && (isObject(value.schema) || typeof value.schema_file === "string")) {
        return [{ ...value, type: kind }];
      }
      return [{ type: kind, schema: value }];
    default: {
      const patterns = Array.isArray(value) ? value : [value];
      return patterns.map((item) => (isObject(item) ? { ...item, type: kind } : { type: kind, pattern: item }));
    }
  }
}

function readCheck(given: Json, shared: JsonObject, readSchema: ReadSchema): RuleCheck {
  const raw: JsonObject = { ...shared, ...(isObject(given) ? given : {}) };
  const common = {
    ...(typeof raw.glob === "string" ? { glob: raw.glob } : {}),
    ...(raw.required === true ? { required: true as const } : {}),
    severity: /^warn/i.test(String(raw.severity)) ? "warning" : "error",
    message: typeof raw.message === "string" ? raw.message.trim() : "",
  } as const;
  const unusable = (reason: string, key?: string): RuleCheck => ({
    ...common,
    severity: "error",
    kind: "unusable",
    reason,
    ...defined({ key }),
  });
  if (!isObject(given))
    return unusable(`a check must be an object, not ${Array.isArray(given) ? "a list" : String(given).slice(0, 80)}`);
  const kind = String(raw.type ?? raw.kind ?? "")
    .toLowerCase()
    .replaceAll(/[\s-]/g, "_");
  if (!kinds.includes(kind))
    return unusable(
      `"${kind}" is not a kind of check; the kinds are ${kinds.join(", ")}`,
      raw.type === undefined ? "kind" : "type",
    );
  const stranger = Object.keys(raw).find((key) => !known.includes(key));
  if (stranger !== undefined) return unusable(`a check has no key "${stranger}"`, stranger);
  if (raw.glob !== undefined && typeof raw.glob !== "string") return unusable("its glob must be a string", "glob");
  if (raw.required !== undefined && typeof raw.required !== "boolean")
    return unusable("required must be true or false", "required");
  switch (kind) {
    case "must_match":
    case "must_not_match": {
      const flags = String(raw.flags ?? "").replaceAll(/[gu]/g, "");
      if (typeof raw.pattern !== "string" || raw.pattern === "")
        return unusable(`a ${kind} check needs a pattern`, "pattern");
      if (/[^ims]/.test(flags)) return unusable(`flags may be i, m and s, not "${flags}"`, "flags");
      const problem = findPatternProblem(raw.pattern);
      return problem === undefined ? { ...common, kind, pattern: raw.pattern, flags } : unusable(problem, "pattern");
    }
    case "required_headings": {
      const headings = texts(raw.headings);
      return headings === undefined
        ? unusable("it needs a list of headings", "headings")
        : { ...common, kind, headings };
    }
    case "forbidden_words": {
      const words = texts(raw.words);
      return words === undefined ? unusable("it needs a list of words", "words") : { ...common, kind, words };
    }
    case "max_length": {
      const unit = units.find((name) => name === raw.unit || raw[name] !== undefined);
      const limit = unit === undefined ? undefined : (raw[unit] ?? raw.limit);
      if (unit === undefined || typeof limit !== "number" || !(limit >= 0)) {
        return unusable('it needs a limit: {"lines": 200}, or words, or characters', "limit");
      }
      return { ...common, kind, unit, limit };
    }
    default: {
      if (isObject(raw.schema)) return { ...common, kind: "json_schema", schema: raw.schema };
      if (typeof raw.schema_file !== "string") return unusable("it needs a schema, or a schema_file", "schema");
      const read = readSchema(raw.schema_file);
      return "unusable" in read
        ? unusable(read.unusable, "schema_file")
        : { ...common, kind: "json_schema", schema: read.schema };
    }
  }
}

function texts(value: Json | undefined): readonly string[] | undefined {
  const list = typeof value === "string" ? [value] : value;
  const isTexts = Array.isArray(list) && list.length > 0;
  return isTexts && list.every((item) => typeof item === "string" && item.trim() !== "") ? list.map(String) : undefined;
}
