import { isObject, type Json } from "../../../kit/json.ts";
import { formats } from "./formats.ts";

/** The kind of value a keyword takes: one that contains schemas, or a plain one. */
export type Shape = Branching | Plain;
type Branching =
  | "schema"
  | "schemas"
  | "items"
  | "schema map"
  | "pattern map"
  | "dependencies"
  | "pattern"
  | "reference";
export type Plain =
  | "type"
  | "list"
  | "value"
  | "number"
  | "divisor"
  | "count"
  | "boolean"
  | "names"
  | "names map"
  | "format"
  | "note";

/** The supported keywords; an unknown one makes a schema unusable, since it might be a misspelt demand. */
export const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ["$ref", "reference"],
  ["$defs", "schema map"],
  ["definitions", "schema map"],
  ["type", "type"],
  ["enum", "list"],
  ["const", "value"],
  ["allOf", "schemas"],
  ["anyOf", "schemas"],
  ["oneOf", "schemas"],
  ["not", "schema"],
  ["if", "schema"],
  ["then", "schema"],
  ["else", "schema"],
  ["properties", "schema map"],
  ["patternProperties", "pattern map"],
  ["additionalProperties", "schema"],
  ["propertyNames", "schema"],
  ["required", "names"],
  ["minProperties", "count"],
  ["maxProperties", "count"],
  ["dependentRequired", "names map"],
  ["dependentSchemas", "schema map"],
  ["dependencies", "dependencies"],
  ["items", "items"],
  ["prefixItems", "schemas"],
  ["additionalItems", "schema"],
  ["contains", "schema"],
  ["minContains", "count"],
  ["maxContains", "count"],
  ["minItems", "count"],
  ["maxItems", "count"],
  ["uniqueItems", "boolean"],
  ["minimum", "number"],
  ["maximum", "number"],
  ["exclusiveMinimum", "number"],
  ["exclusiveMaximum", "number"],
  ["multipleOf", "divisor"],
  ["minLength", "count"],
  ["maxLength", "count"],
  ["pattern", "pattern"],
  ["format", "format"],
  ...["$schema", "$id", "$comment", "title", "description", "default", "examples", "example", "deprecated"].map(
    (keyword): [string, Shape] => [keyword, "note"],
  ),
  ...["readOnly", "writeOnly", "contentEncoding", "contentMediaType", "markdownDescription", "enumNames"].map(
    (keyword): [string, Shape] => [keyword, "note"],
  ),
]);

const typeNames: readonly string[] = ["null", "boolean", "integer", "number", "string", "array", "object"];

/** Describes the value a plain keyword needs; undefined if it has one. */
export function findMisshape(shape: Plain, value: Json): string | undefined {
  switch (shape) {
    case "type": {
      const isTypes = [value].flat().every((name) => typeof name === "string" && typeNames.includes(name));
      return isTypes ? undefined : `a type of ${typeNames.join(", ")}, or a list of them`;
    }
    case "list":
      return Array.isArray(value) ? undefined : "a list";
    case "number":
      return typeof value === "number" ? undefined : "a number";
    case "divisor":
      return typeof value === "number" && value > 0 ? undefined : "a number above 0";
    case "count":
      return typeof value === "number" && Number.isInteger(value) && value >= 0
        ? undefined
        : "a whole number, 0 or more";
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    case "names":
      return isNames(value) ? undefined : "a list of names";
    case "names map":
      return isObject(value) && Object.values(value).every(isNames) ? undefined : "an object of lists of names";
    case "format":
      return typeof value === "string" && formats.has(value) ? undefined : `one of ${[...formats.keys()].join(", ")}`;
    case "value":
    case "note":
      return undefined;
  }
}

/** Tells if a value is a list of property names. */
export function isNames(value: Json | undefined): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === "string");
}
