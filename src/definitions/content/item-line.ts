import { isObject, type Json, type JsonObject } from "../../kit/json.ts";
import { textIn } from "../rules/text-in.ts";

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
/** Keys that identify an item for a machine. */
const independentSteps = ["id", "type", "order", "version", "$schema", "comment"];

/** Formats an item as one line: a string as it is, an object as name, description and the rest. */
export function itemLine(item: Json): string {
  const line = isObject(item) ? objectLine(item) : textIn(item);
  return line.replaceAll(/\s+/g, " ");
}

/** The items of a value: of a list, of an object by key, or the value itself. */
export function itemsOf(value: Json | undefined): Json[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return [...value];
  if (!isObject(value) || isItem(value)) return [value];
  return Object.entries(value).map(([key, part]) =>
    isObject(part) ? { name: key, ...part } : { name: key, description: textIn(part) },
  );
}

/** True for an object that is one item, false for one that holds items by name. */
export function isItem(value: JsonObject): boolean {
  return [...heads, ...tails, "id"].some((key) => typeof value[key] === "string");
}

function objectLine(item: JsonObject): string {
  const said = (keys: readonly string[]): string[] => keys.filter((key) => textIn(item[key]) !== "");
  const [head] = said([...heads, "id"]);
  const [tail] = said(tails);
  const rest = Object.keys(item).filter((key) => key !== head && key !== tail && !independentSteps.includes(key));
  const more = said(rest).map((key) => `${key.replaceAll("_", " ")}: ${textIn(item[key])}`);
  const first = [head, tail].flatMap((key) => (key === undefined ? [] : [textIn(item[key])])).join(": ");
  if (first === "" && more.length === 0) return textIn(item);
  return [first, ...more].filter((text) => text !== "").join("; ");
}
