import { isObject, type Json } from "../../workflow/json.ts";
import { asName } from "../bots/names.ts";
import type { JsonPath } from "./json-scan.ts";

/** Finds where a config lists a behavior; the whole config where it does not. */
export function behaviorAt(name: string, document: Json | undefined): JsonPath {
  return behaviorLists(document).flatMap((list) => placesOf(name, list))[0] ?? [];
}

/** Finds where a config lists an action of a behavior; the whole config where it does not. */
export function actionAt(name: string, document: Json | undefined): JsonPath {
  return actionLists(document).flatMap((list) => placesOf(name, list))[0] ?? [];
}

/** Finds where a name is listed for the second time, and whether that entry is the bare name. */
export function repeatedAt(
  name: string,
  document: Json | undefined,
): { readonly at: JsonPath; readonly isBare: boolean } {
  for (const list of [...behaviorLists(document), ...actionLists(document)]) {
    const [, second] = placesOf(name, list);
    if (second !== undefined) return { at: second, isBare: typeof list.entries[Number(second.at(-1))] === "string" };
  }
  return { at: [], isBare: false };
}

/** Finds the first entry of `behaviors` that has no name. */
export function namelessAt(document: Json | undefined): JsonPath {
  const index = behaviorLists(document)[0]?.entries.findIndex((entry) => nameIn(entry) === "") ?? -1;
  return ["behaviors", Math.max(0, index)];
}

/** Finds the first list of actions that cannot be understood. */
export function unusableListAt(document: Json | undefined): JsonPath {
  const isUnusable = ({ entries }: List) => entries.length === 0 || entries.some((entry) => nameIn(entry) === "");
  return actionLists(document).find(isUnusable)?.at ?? ["actions"];
}

type List = { readonly at: JsonPath; readonly entries: readonly Json[] };

function behaviorLists(document: Json | undefined): readonly List[] {
  return isObject(document) && Array.isArray(document.behaviors)
    ? [{ at: ["behaviors"], entries: document.behaviors }]
    : [];
}

/** A behavior's actions stand in its own config, or with its name in the bot's; what is no list has no entries. */
function actionLists(document: Json | undefined): readonly List[] {
  const listAt = (at: JsonPath, value: Json | undefined): List[] =>
    value === undefined ? [] : [{ at, entries: Array.isArray(value) ? value : [] }];
  const inBot = behaviorLists(document).flatMap(({ entries }) =>
    entries.flatMap((entry, index) => (isObject(entry) ? listAt(["behaviors", index, "actions"], entry.actions) : [])),
  );
  return [...(isObject(document) ? listAt(["actions"], document.actions) : []), ...inBot];
}

function placesOf(name: string, { at, entries }: List): JsonPath[] {
  return entries.flatMap((entry, index) => (nameIn(entry) === name ? [[...at, index]] : []));
}

function nameIn(entry: Json): string {
  const written = isObject(entry) ? entry.name : entry;
  return typeof written === "string" ? asName(written) : "";
}
