import { isObject, type Json, type JsonObject } from "../../../evidence/json.ts";
import type { Budget } from "../../budget.ts";
import { formats } from "./formats.ts";
import type { ReadySchema } from "./inspect.ts";
import { canonical, hasType, isMultiple, isSame, typeOf } from "./values.ts";
import { isNames } from "./vocabulary.ts";

/** A place in a document, as a JSON Pointer, and what is wrong there. */
export type Mismatch = { readonly pointer: string; readonly message: string };

const mostSteps = 2_000_000;
const unitsPerStep = 50;
const deepestVisit = 400;

/** Compares a document with a schema by walking both; undefined where that takes more than a bounded number of steps. */
export function findMismatches(schema: ReadySchema, document: Json, budget: Budget): readonly Mismatch[] | undefined {
  const mismatches: Mismatch[] = [];
  const walk: Walk = { schema, steps: 0 };
  visit(walk, schema.root, { value: document, pointer: "", depth: 0, tell: (mismatch) => mismatches.push(mismatch) });
  budget.spend(walk.steps * unitsPerStep);
  return isExhausted(walk) ? undefined : mismatches;
}

/** A schema can send its reader round in circles, or double the work at each level: the steps are counted. */
type Walk = { readonly schema: ReadySchema; steps: number };
type Place = {
  readonly value: Json;
  readonly pointer: string;
  readonly depth: number;
  readonly tell: (mismatch: Mismatch) => void;
};

function visit(walk: Walk, schema: Json | undefined, place: Place): void {
  walk.steps += place.depth > deepestVisit ? mostSteps - walk.steps + 1 : 1;
  if (isExhausted(walk)) return;
  if (schema === false) say(place, "must not be there");
  if (!isObject(schema)) return;
  const { value } = place;
  visitLogic(walk, schema, place);
  visitAnyValue(walk, schema, place);
  if (typeof value === "string") visitString(walk, schema, value, place);
  if (typeof value === "number") visitNumber(schema, value, place);
  if (Array.isArray(value)) visitList(walk, schema, value, place);
  if (isObject(value)) visitObject(walk, schema, value, place);
}

function visitLogic(walk: Walk, schema: JsonObject, place: Place): void {
  const here = { ...place, depth: place.depth + 1 };
  if (typeof schema.$ref === "string") visit(walk, walk.schema.references.get(schema.$ref), here);
  for (const part of listOf(schema.allOf)) visit(walk, part, here);
  const any = listOf(schema.anyOf);
  if (any.length > 0 && !any.some((part) => accepts(walk, part, here))) say(place, "matches none of the allowed forms");
  if (schema.oneOf !== undefined) {
    const count = listOf(schema.oneOf).filter((part) => accepts(walk, part, here)).length;
    if (count !== 1) say(place, `must match exactly one of the allowed forms, matches ${count}`);
  }
  if (schema.not !== undefined && accepts(walk, schema.not, here)) say(place, "has a form that is not allowed");
  if (schema.if !== undefined) visit(walk, accepts(walk, schema.if, here) ? schema.then : schema.else, here);
}

function visitAnyValue(walk: Walk, schema: JsonObject, place: Place): void {
  const { value } = place;
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => hasType(value, type))) {
    say(place, `must be ${types.join(" or ")}, is ${typeOf(value)}`);
  }
  if (schema.enum !== undefined) {
    const allowed = listOf(schema.enum);
    walk.steps += allowed.length;
    if (!allowed.some((item) => isSame(item, value))) say(place, `must be one of ${shown(allowed)}`);
  }
  if (schema.const !== undefined && !isSame(schema.const, value)) say(place, `must be ${shown(schema.const)}`);
}

function visitString(walk: Walk, schema: JsonObject, value: string, place: Place): void {
  if (schema.minLength !== undefined || schema.maxLength !== undefined) {
    const length = [...value].length;
    checkRange(place, length, schema.minLength, schema.maxLength, "characters");
  }
  if (typeof schema.pattern === "string") {
    const found = search(walk, schema.pattern, value);
    if (found !== true) {
      say(place, found === false ? `does not match /${schema.pattern}/` : `is too long for /${schema.pattern}/`);
    }
  }
  if (typeof schema.format === "string" && formats.get(schema.format)?.(value) === false) {
    say(place, `is no ${schema.format}`);
  }
}

function visitNumber(schema: JsonObject, value: number, place: Place): void {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === "number" && value < minimum) say(place, `must be at least ${minimum}, is ${value}`);
  if (typeof maximum === "number" && value > maximum) say(place, `must be at most ${maximum}, is ${value}`);
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) {
    say(place, `must be above ${exclusiveMinimum}, is ${value}`);
  }
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) {
    say(place, `must be below ${exclusiveMaximum}, is ${value}`);
  }
  if (typeof multipleOf === "number" && !isMultiple(value, multipleOf)) {
    say(place, `must be a multiple of ${multipleOf}, is ${value}`);
  }
}

function visitList(walk: Walk, schema: JsonObject, value: readonly Json[], place: Place): void {
  checkRange(place, value.length, schema.minItems, schema.maxItems, "items");
  // Older drafts write the schemas of the first items as a list in `items`, and that of the rest in `additionalItems`.
  const first = listOf(schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : []));
  const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
  for (const [index, item] of value.entries()) {
    const wanted = index < first.length ? first[index] : rest;
    if (wanted !== undefined) visit(walk, wanted, below(place, String(index), item));
  }
  if (schema.contains !== undefined) {
    const { contains, minContains = 1, maxContains } = schema;
    const count = value.filter((item, index) => accepts(walk, contains, below(place, String(index), item))).length;
    checkRange(place, count, minContains, maxContains, "items of the wanted kind");
  }
  if (schema.uniqueItems === true) {
    walk.steps += value.length;
    const known = new Map<string, number>();
    for (const [index, item] of value.entries()) {
      const text = canonical(item);
      const earlier = known.get(text);
      if (earlier !== undefined) say(place, `items ${earlier} and ${index} are the same`);
      else known.set(text, index);
    }
  }
}

function visitObject(walk: Walk, schema: JsonObject, value: JsonObject, place: Place): void {
  const keys = Object.keys(value);
  walk.steps += keys.length;
  checkRange(place, keys.length, schema.minProperties, schema.maxProperties, "properties");
  demand(walk, schema.required, value, place);
  const properties = isObject(schema.properties) ? schema.properties : {};
  const patterns = isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  for (const [key, item] of Object.entries(value)) {
    const wanted = patterns.filter(([pattern]) => search(walk, pattern, key) !== false).map(([, part]) => part);
    const own = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (own !== undefined) wanted.push(own);
    if (wanted.length === 0 && schema.additionalProperties !== undefined) wanted.push(schema.additionalProperties);
    for (const part of wanted) visit(walk, part, below(place, key, item));
    if (schema.propertyNames !== undefined) {
      const isAllowed = accepts(walk, schema.propertyNames, { ...below(place, key, item), value: key });
      if (!isAllowed) say(place, `the name ${shown(key)} is not allowed`);
    }
  }
  for (const needs of [schema.dependentRequired, schema.dependentSchemas, schema.dependencies]) {
    for (const [key, need] of Object.entries(isObject(needs) ? needs : {})) {
      if (!Object.hasOwn(value, key)) continue;
      if (isNames(need)) demand(walk, need, value, place);
      else visit(walk, need, { ...place, depth: place.depth + 1 });
    }
  }
}

function demand(walk: Walk, names: Json | undefined, value: JsonObject, place: Place): void {
  if (!isNames(names)) return;
  walk.steps += names.length;
  for (const name of names) if (!Object.hasOwn(value, name)) say(place, `${shown(name)} is missing`);
}

function checkRange(place: Place, count: number, least: Json | undefined, most: Json | undefined, what: string): void {
  if (typeof least === "number" && count < least) say(place, `must have at least ${least} ${what}, has ${count}`);
  if (typeof most === "number" && count > most) say(place, `must have at most ${most} ${what}, has ${count}`);
}

function accepts(walk: Walk, schema: Json, place: Place): boolean {
  let isAccepted = true;
  visit(walk, schema, {
    ...place,
    tell: () => {
      isAccepted = false;
    },
  });
  return isAccepted;
}

function search(walk: Walk, pattern: string, text: string): boolean | undefined {
  walk.steps += 10 + Math.ceil(text.length / 5); // what a search costs, next to a visit
  return isExhausted(walk) ? undefined : walk.schema.patterns.get(pattern)?.isIn(text);
}

function isExhausted(walk: Walk): boolean {
  return walk.steps > mostSteps;
}

function below(place: Place, key: string, value: Json): Place {
  const pointer = `${place.pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  return { value, pointer, depth: place.depth + 1, tell: place.tell };
}

function say({ tell, pointer }: Place, message: string): void {
  tell({ pointer, message });
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
