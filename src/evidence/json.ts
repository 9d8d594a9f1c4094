import { hash } from "node:crypto";

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** Tells whether a parsed value is a JSON object, and not a list or null. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Writes a value as canonical JSON (RFC 8785): one text for one value, whoever writes it. Half a surrogate pair, which
 * the RFC refuses, is written as its escape: what an assistant hands in is kept as it is.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort(); // by UTF-16 code units, as the RFC wants it
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** Names a value by what it says, whatever the order of its keys: the SHA-256 of its canonical JSON. */
export function digestOf(value: unknown): string {
  return hashOf(canonical(value));
}

/** Names a text: its SHA-256. */
export function hashOf(text: string): string {
  return hash("sha256", text);
}

/** Tells whether a value is the one that was wanted. Goes only as deep as that does: what a caller sends may be nested without end. */
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
