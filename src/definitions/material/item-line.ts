import { isObject, type Json, type JsonObject } from "../../workflow/json.ts";
import { textOf } from "../rules/text-of.ts";

const heads = ["question", "name", "title", "evidence", "assumption", "option", "label", "text", "criteria", "id"];
const tails = ["description", "details", "detail", "explanation", "why", "when"];

/** Writes an item in one line: a text as it is, an object as its name and description. */
export function itemLine(item: Json): string {
  const line = isObject(item) ? objectLine(item) : textOf(item);
  return line.replaceAll(/\s+/g, " ");
}

/** Lists the items of a value: a list's, an object's by key, or the one that it is. */
export function itemsOf(value: Json | undefined): Json[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return [...value];
  if (!isObject(value) || isItem(value)) return [value];
  return Object.entries(value).map(([key, part]) =>
    isObject(part) ? { name: key, ...part } : { name: key, description: textOf(part) },
  );
}

/** Tells an object that is one item from an object that holds items by name. */
export function isItem(value: JsonObject): boolean {
  return [...heads, ...tails].some((key) => typeof value[key] === "string");
}

function objectLine(item: JsonObject): string {
  const head = heads.map((key) => textOf(item[key])).find((text) => text !== "") ?? "";
  const tail = tails.map((key) => textOf(item[key])).find((text) => text !== "") ?? "";
  if (head === "" && tail === "") return textOf(item);
  return [head, tail].filter((text) => text !== "").join(": ");
}
