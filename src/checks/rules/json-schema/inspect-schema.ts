import { isObject, type Json, type JsonObject } from "../../../kit/json.ts";
import type { Unusable } from "../finding.ts";
import { compilePattern, type Pattern } from "../pattern.ts";
import { findMisshape, isNames, type Shape, shapes } from "./schema-keywords.ts";

/** A schema whose keywords are all supported, with compiled patterns and resolved references. */
export type CompiledSchema = {
  readonly root: JsonObject;
  readonly patterns: ReadonlyMap<string, Pattern>;
  readonly references: ReadonlyMap<string, Json>;
};

const deepest = 100;
const mostSchemas = 20_000;

/** Inspects a whole schema before validating with it, and returns what cannot be used. */
export function inspectSchema(root: JsonObject): CompiledSchema | Unusable {
  const walk: Walk = { root, seen: new Set(), patterns: new Map(), references: new Map() };
  const problem = problemOf(walk, root, "#", 0) ?? problemOfReferences(walk);
  return problem === undefined ? walk : { unusable: `its schema cannot be used: ${problem}` };
}

type Walk = {
  readonly root: JsonObject;
  readonly seen: Set<Json>;
  readonly patterns: Map<string, Pattern>;
  readonly references: Map<string, Json>;
};

function problemOf(walk: Walk, schema: Json, at: string, depth: number): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return `${at} is not a schema`;
  if (depth > deepest) return `it is nested deeper than ${deepest} levels`;
  if (walk.seen.size > mostSchemas) return `it holds more than ${mostSchemas} schemas`;
  walk.seen.add(schema);
  for (const [keyword, value] of Object.entries(schema)) {
    const shape = shapes.get(keyword) ?? (keyword.startsWith("x-") ? "note" : undefined);
    if (shape === undefined) return `the keyword "${keyword}" at ${at} is not supported (notes may begin with "x-")`;
    if (keyword === "$id" && depth > 0) return `"$id" at ${at}: only the whole schema may have one`;
    const problem = problemIn(walk, shape, value, `${at}/${keyword}`, depth);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemIn(walk: Walk, shape: Shape, value: Json, at: string, depth: number): string | undefined {
  switch (shape) {
    case "schema":
      return problemOf(walk, value, at, depth + 1);
    case "items":
      return Array.isArray(value) ? problemInEach(walk, value, at, depth) : problemOf(walk, value, at, depth + 1);
    case "schemas":
      return Array.isArray(value) ? problemInEach(walk, value, at, depth) : `${at} must be a list of schemas`;
    case "schema map":
      return isObject(value) ? problemInEach(walk, value, at, depth) : `${at} must be an object of schemas`;
    case "pattern map":
      if (!isObject(value)) return `${at} must be an object of schemas`;
      return problemOfPatterns(walk, Object.keys(value)) ?? problemInEach(walk, value, at, depth);
    case "dependencies": {
      if (!isObject(value)) return `${at} must be an object`;
      const schemas = Object.entries(value).filter(([, needs]) => !isNames(needs));
      return problemInEach(walk, Object.fromEntries(schemas), at, depth);
    }
    case "pattern":
      return typeof value === "string" ? problemOfPatterns(walk, [value]) : `${at} must be a pattern`;
    case "reference": {
      const target = typeof value === "string" ? lookUp(walk.root, value) : undefined;
      if (typeof value !== "string" || target === undefined) {
        return `${at} must point into the schema itself (#/$defs/…): nothing is fetched`;
      }
      walk.references.set(value, target);
      return undefined;
    }
    default: {
      const wanted = findMisshape(shape, value);
      return wanted === undefined ? undefined : `${at} must be ${wanted}`;
    }
  }
}

function problemInEach(
  walk: Walk,
  schemas: readonly Json[] | JsonObject,
  at: string,
  depth: number,
): string | undefined {
  for (const [key, schema] of Object.entries(schemas)) {
    const problem = problemOf(walk, schema, `${at}/${key}`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOfPatterns(walk: Walk, patterns: readonly string[]): string | undefined {
  for (const pattern of patterns) {
    const compiled = compilePattern(pattern, "");
    if ("unusable" in compiled) return compiled.unusable;
    walk.patterns.set(pattern, compiled);
  }
  return undefined;
}

/** A reference to something that is not read as a schema could hide anything. */
function problemOfReferences({ references, seen }: Walk): string | undefined {
  for (const [reference, target] of references) {
    if (typeof target !== "boolean" && !seen.has(target)) return `${reference} is not a schema`;
  }
  return undefined;
}

function lookUp(root: JsonObject, reference: string): Json | undefined {
  if (reference !== "#" && !reference.startsWith("#/")) return undefined;
  let found: Json | undefined = root;
  for (const part of reference.split("/").slice(1)) {
    const key = decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(found)) found = found[Number(key)];
    else found = isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
