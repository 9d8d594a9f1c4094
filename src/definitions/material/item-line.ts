import { isObject, type Json, type JsonObject } from "../../evidence/json.ts";
import { textOf } from "../rules/text-of.ts";

const heads = [
  "question",
  "name",
  "title",
  "evidence",
  "assumption",
  "option",
  "label",
  "text",
  "criteria",
  "activity",
];
const tails = ["description", "details", "detail", "explanation", "why", "when"];
/** Keys that sort or name an item for a machine. */
const asides = ["id", "type", "order", "version", "$schema", "comment"];

/** Writes an item in one line: a text as it is, an object as its name and description and whatever else it says. */
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
  return [...heads, ...tails, "id"].some((key) => typeof value[key] === "string");
}

function objectLine(item: JsonObject): string {
  const said = (keys: readonly string[]): string[] => keys.filter((key) => textOf(item[key]) !== "");
  const [head] = said([...heads, "id"]);
  const [tail] = said(tails);
  const rest = Object.keys(item).filter((key) => key !== head && key !== tail && !asides.includes(key));
  const more = said(rest).map((key) => `${key.replaceAll("_", " ")}: ${textOf(item[key])}`);
  const first = [head, tail].flatMap((key) => (key === undefined ? [] : [textOf(item[key])])).join(": ");
  if (first === "" && more.length === 0) return textOf(item);
  return [first, ...more].filter((text) => text !== "").join("; ");
}
