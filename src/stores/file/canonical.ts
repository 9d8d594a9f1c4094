import { isObject } from "../../workflow/json.ts";

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
