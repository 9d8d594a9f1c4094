import { sha256 } from "./sha256.ts";

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** Tells if a parsed value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a JSON text; undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object; undefined for anything else. */
export function parsedObject(text: string): JsonObject | undefined {
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

/** Serializes a value as canonical JSON (RFC 8785). A lone surrogate, which the RFC refuses, is escaped, so that submissions are kept as they are. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort(); // by UTF-16 code units, as the RFC requires
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** The SHA-256 of a value's canonical JSON. */
export function digestOf(value: unknown): string {
  return sha256(canonical(value));
}

/** Tells if a value equals `wanted`; goes only as deep as that does, since callers may send endless nesting. */
export function isSame(wanted: Json, value: Json | undefined): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(value) && wanted.length === value.length && wanted.every((one, at) => isSame(one, value[at]));
  }
  if (!isObject(wanted)) return wanted === value;
  if (!isObject(value)) return false;
  const names = Object.keys(wanted);
  return (
    Object.keys(value).length === names.length &&
    names.every((name) => Object.hasOwn(value, name) && isSame(wanted[name] ?? null, value[name]))
  );
}
