import { isObject, type Json, type JsonObject } from "../../../kit/json.ts";
import type { Budget } from "../../budget.ts";
import { formats } from "./formats.ts";
import type { CompiledSchema } from "./inspect-schema.ts";
import { hasType, isMultiple, isSameValue, sortedJson, typeOf } from "./json-values.ts";
import { isNames } from "./schema-keywords.ts";

/** A JSON pointer into a document, and what is wrong there. */
export type Mismatch = { readonly pointer: string; readonly message: string };

const mostSteps = 2_000_000;
const unitsPerStep = 50;
const deepestVisit = 400;

/** Validates a document by walking it with the schema; undefined if that takes too many steps. */
export function findMismatches(
  schema: CompiledSchema,
  document: Json,
  budget: Budget,
): readonly Mismatch[] | undefined {
  const mismatches: Mismatch[] = [];
  const walk: Walk = { schema, steps: 0 };
  visit(walk, schema.root, { value: document, pointer: "", depth: 0, report: (mismatch) => mismatches.push(mismatch) });
  budget.spend(walk.steps * unitsPerStep);
  return isExhausted(walk) ? undefined : mismatches;
}

/** A schema can recurse or double the work at each level, so steps are counted. */
type Walk = { readonly schema: CompiledSchema; steps: number };
type ValidationNode = {
  readonly value: Json;
  readonly pointer: string;
  readonly depth: number;
  readonly report: (mismatch: Mismatch) => void;
};

function visit(walk: Walk, schema: Json | undefined, place: ValidationNode): void {
  walk.steps += place.depth > deepestVisit ? mostSteps - walk.steps + 1 : 1;
  if (isExhausted(walk)) return;
  if (schema === false) reportMismatch(place, "is not allowed");
  if (!isObject(schema)) return;
  const { value } = place;
  visitLogic(walk, schema, place);
  visitAnyValue(walk, schema, place);
  if (typeof value === "string") visitString(walk, schema, value, place);
  if (typeof value === "number") visitNumber(schema, value, place);
  if (Array.isArray(value)) visitList(walk, schema, value, place);
  if (isObject(value)) visitObject(walk, schema, value, place);
}

function visitLogic(walk: Walk, schema: JsonObject, place: ValidationNode): void {
  const here = { ...place, depth: place.depth + 1 };
  if (typeof schema.$ref === "string") visit(walk, walk.schema.references.get(schema.$ref), here);
  for (const part of listOf(schema.allOf)) visit(walk, part, here);
  const any = listOf(schema.anyOf);
  if (any.length > 0 && !any.some((part) => accepts(walk, part, here)))
    reportMismatch(place, "matches none of the allowed forms");
  if (schema.oneOf !== undefined) {
    const count = listOf(schema.oneOf).filter((part) => accepts(walk, part, here)).length;
    if (count !== 1) reportMismatch(place, `must match exactly one of the allowed forms, matches ${count}`);
  }
  if (schema.not !== undefined && accepts(walk, schema.not, here))
    reportMismatch(place, "has a form that is not allowed");
  if (schema.if !== undefined) visit(walk, accepts(walk, schema.if, here) ? schema.then : schema.else, here);
}

function visitAnyValue(walk: Walk, schema: JsonObject, place: ValidationNode): void {
  const { value } = place;
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    reportMismatch(place, `must be ${types.join(" or ")}, is ${typeOf(value)}`);
  }
  if (schema.enum !== undefined) {
    const allowed = listOf(schema.enum);
    walk.steps += allowed.length;
    if (!allowed.some((item) => isSameValue(item, value))) reportMismatch(place, `must be one of ${shown(allowed)}`);
  }
  if (schema.const !== undefined && !isSameValue(schema.const, value))
    reportMismatch(place, `must be ${shown(schema.const)}`);
}

function visitString(walk: Walk, schema: JsonObject, value: string, place: ValidationNode): void {
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    const length = [...value].length;
    checkRange(place, length, schema.minLength, schema.maxLength, "characters");
  }
  if (typeof schema.pattern === "string") {
    const found = search(walk, schema.pattern, value);
    if (found !== true) {
      reportMismatch(
        place,
        found === false ? `does not match /${schema.pattern}/` : `is too long for /${schema.pattern}/`,
      );
    }
  }
  if (typeof schema.format === "string" && formats.get(schema.format)?.(value) === false) {
    reportMismatch(place, `is not a valid ${schema.format}`);
  }
}

function visitNumber(schema: JsonObject, value: number, place: ValidationNode): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === "number" && value < minimum) reportMismatch(place, `must be at least ${minimum}, is ${value}`);
  if (typeof maximum === "number" && value > maximum) reportMismatch(place, `must be at most ${maximum}, is ${value}`);
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) {
    reportMismatch(place, `must be above ${exclusiveMinimum}, is ${value}`);
  }
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) {
    reportMismatch(place, `must be below ${exclusiveMaximum}, is ${value}`);
  }
  if (typeof multipleOf === "number" && !isMultiple(value, multipleOf)) {
    reportMismatch(place, `must be a multiple of ${multipleOf}, is ${value}`);
  }
}

function visitList(walk: Walk, schema: JsonObject, value: readonly Json[], place: ValidationNode): void {
  checkRange(place, value.length, schema.minItems, schema.maxItems, "items");
  // Older drafts put the first items' schemas as a list in `items`, and the rest's in `additionalItems`.
  const first = listOf(schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : []));
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  for (const [index, item] of value.entries()) {
    const wanted = index < first.length ? first[index] : rest;
    if (wanted !== undefined) visit(walk, wanted, childNode(place, String(index), item));
  }
  if (schema.contains !== undefined) {
    const { contains, minContains = 1, maxContains } = schema;
    const count = value.filter((item, index) => accepts(walk, contains, childNode(place, String(index), item))).length;
    checkRange(place, count, minContains, maxContains, "matching items");
  }
  if (schema.uniqueItems === true) {
    walk.steps += value.length;
    const known = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const text = sortedJson(item);
      const earlier = known.get(text);
      if (earlier !== undefined) reportMismatch(place, `items ${earlier} and ${index} are the same`);
      else known.set(text, index);
    }
  }
}

function visitObject(walk: Walk, schema: JsonObject, value: JsonObject, place: ValidationNode): void {
  const keys = Object.keys(value);
  walk.steps += keys.length;
  checkRange(place, keys.length, schema.minProperties, schema.maxProperties, "properties");
  requireNames(walk, schema.required, value, place);
  const properties = isObject(schema.properties) ? schema.properties : {};
  const patterns = isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  for (const [key, item] of Object.entries(value)) {
    const wanted = patterns.filter(([pattern]) => search(walk, pattern, key) !== false).map(([, part]) => part);
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (own !== undefined) wanted.push(own);
    if (wanted.length === 0 && schema.additionalProperties !== undefined) wanted.push(schema.additionalProperties);
    for (const part of wanted) visit(walk, part, childNode(place, key, item));
    if (schema.propertyNames !== undefined) {
      const isAllowed = accepts(walk, schema.propertyNames, { ...childNode(place, key, item), value: key });
      if (!isAllowed) reportMismatch(place, `the name ${shown(key)} is not allowed`);
    }
  }
  for (const needs of [schema.dependentRequired, schema.dependentSchemas, schema.dependencies]) {
    for (const [key, need] of Object.entries(isObject(needs) ? needs : {})) {
      if (!Object.hasOwn(value, key)) continue;
      if (isNames(need)) requireNames(walk, need, value, place);
      else visit(walk, need, { ...place, depth: place.depth + 1 });
    }
  }
}

function requireNames(walk: Walk, names: Json | undefined, value: JsonObject, place: ValidationNode): void {
  if (!isNames(names)) return;
  walk.steps += names.length;
  for (const name of names) if (!Object.hasOwn(value, name)) reportMismatch(place, `${shown(name)} is missing`);
}

function checkRange(
  place: ValidationNode,
  count: number,
  least: Json | undefined,
  most: Json | undefined,
  what: string,
): void {
  if (typeof least === "number" && count < least)
    reportMismatch(place, `must have at least ${least} ${what}, has ${count}`);
  if (typeof most === "number" && count > most)
    reportMismatch(place, `must have at most ${most} ${what}, has ${count}`);
}

function accepts(walk: Walk, schema: Json, place: ValidationNode): boolean {
  let isAccepted = true;
  visit(walk, schema, {
    ...place,
    report: () => {
      isAccepted = false;
    },
  });
  return isAccepted;
}

function search(walk: Walk, pattern: string, text: string): boolean | undefined {
  walk.steps += 10 + Math.ceil(text.length / 5); // the cost of a search, in visits
  return isExhausted(walk) ? undefined : walk.schema.patterns.get(pattern)?.isIn(text);
}

function isExhausted(walk: Walk): boolean {
  return walk.steps > mostSteps;
}

function childNode(place: ValidationNode, key: string, value: Json): ValidationNode {
  const pointer = `${place.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return { value, pointer, depth: place.depth + 1, report: place.report };
}

function reportMismatch({ report, pointer }: ValidationNode, message: string): void {
  report({ pointer, message });
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
