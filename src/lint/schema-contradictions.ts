import { isObject, type Json, type JsonObject } from "../kit/json.ts";

/** Explains why no JSON document can match a schema; undefined if one may, or if that is unclear. */
export function findSchemaContradiction(schema: JsonObject): string | undefined {
  return contradictionIn(schema, "the document", 0);
}

const deepest = 20;

function contradictionIn(schema: Json | undefined, at: string, depth: number): string | undefined {
  if (schema === false) return `its schema forbids ${at} entirely`;
  if (!isObject(schema) || depth > deepest) return undefined;
  if (schema.not === true || (isObject(schema.not) && Object.keys(schema.not).length === 0)) {
    return `its schema forbids ${at} entirely`;
  }
  if (Array.isArray(schema.enum) && schema.enum.length === 0) return `its schema allows no value for ${at}`;
  return limitsOf(schema, at) ?? contradictionInAll(schema, at, depth) ?? contradictionInProperties(schema, at, depth);
}

const limits = [
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minimum", "maximum"],
] as const;

/** A limit applies to one type, so it contradicts only if the schema requires that type. */
const typeOfLimit = { minLength: "string", minItems: "array", minProperties: "object", minimum: "number" } as const;

function limitsOf(schema: JsonObject, at: string): string | undefined {
  for (const [least, most] of limits) {
    const [low, high] = [schema[least], schema[most]];
    const applies = schema.type === typeOfLimit[least] || (least === "minimum" && schema.type === "integer");
    if (applies && typeof low === "number" && typeof high === "number" && low > high) {
      return `its schema requires ${least} ${low} and ${most} ${high} for ${at}`;
    }
  }
  return undefined;
}

function contradictionInAll(schema: JsonObject, at: string, depth: number): string | undefined {
  for (const part of Array.isArray(schema.allOf) ? schema.allOf : []) {
    const found = contradictionIn(part, at, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function contradictionInProperties(schema: JsonObject, at: string, depth: number): string | undefined {
  const { required, properties = {}, additionalProperties, patternProperties, type } = schema;
  if (!Array.isArray(required) || !isObject(properties) || (type !== undefined && type !== "object")) return undefined;
  for (const name of required) {
    if (typeof name !== "string") continue;
    const isNamed = Object.hasOwn(properties, name);
    if (!isNamed && additionalProperties === false && patternProperties === undefined) {
      return `its schema requires "${name}" in ${at} but does not allow that property`;
    }
    const found = isNamed ? contradictionIn(properties[name], `"${name}"`, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
