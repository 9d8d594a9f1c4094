import { basename, join } from "node:path";
import type { WorkflowListed } from "../../engine/phased-ports.ts";
import { isObject } from "../../evidence/json.ts";
import { readJson, readText } from "../json-file.ts";
import { readMetadata } from "../phases/metadata.ts";
import { placesNamed, type WorkflowPlace, workflowPlaces } from "../phases/workflow-places.ts";
import { withoutWords } from "./reticence.ts";
import { phaseLine, type TellingWords, wordsOfFile, wordsOfFolder } from "./telling-words.ts";

/** Lists the phased workflows of a definitions folder without reading their phases: nothing of a phase is in the list. */
export function listWorkflows(definitions: string): readonly WorkflowListed[] {
  const { places } = workflowPlaces(definitions);
  const found = places.flatMap((place) => {
    const told = place.kind === "folder" ? inFolder(place) : inFile(place);
    if (told === undefined) return [];
    const aliases = place.aliases.filter((alias) => placesNamed(places, alias).length === 1 && !isType(places, alias));
    return [{ ...shown(place, told), ...(aliases.length === 0 ? {} : { aliases }) }];
  });
  const byType = new Map(found.map((one) => [one.type, one]));
  return [...byType.values()];
}

/** A name that is another workflow's type means that one. */
function isType(places: readonly WorkflowPlace[], name: string): boolean {
  return places.some(({ type }) => type === name);
}

/** What a workflow says of itself, and where the words are that it should not say. */
type Told = { readonly title: string; readonly description: string; readonly words: () => TellingWords };

/** A text that says no more than the workflow's name needs no second look. */
function shown({ type, path, aliases }: WorkflowPlace, { title, description, words }: Told): WorkflowListed {
  const names = new Set([type, ...aliases, basename(path)]);
  const isBare = description === "" && (title === "" || names.has(title));
  if (isBare) return { type, title: title || type, description };
  const found = words();
  const own = new Set([...names].map((name) => name.toLowerCase()));
  const telling = { ...found, fields: new Set([...found.fields].filter((field) => !own.has(field))) };
  const told = (text: string): string => withoutWords(text, telling);
  return { type, title: told(title) || type, description: told(description) };
}

function inFolder({ path }: WorkflowPlace): Told {
  const file = join(path, "metadata.json");
  const read = readJson(file);
  const value = "value" in read && isObject(read.value) ? read.value : {};
  return {
    title: line(value.title ?? value.name),
    description: line(value.description),
    words: () => wordsOfFolder(path, [...readMetadata(file).metadata.phases.values()]),
  };
}

/** A file is a workflow where it has a phase; of what stands before the first one, only the front matter is shown. */
function inFile({ path }: WorkflowPlace): Told | undefined {
  const text = readText(path) ?? "";
  if (!phaseLine.test(text)) return undefined;
  const [, front = ""] = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text) ?? [];
  const value = (key: string): string => {
    const found = new RegExp(`^${key}:\\s*(.+)$`, "im").exec(front)?.[1] ?? "";
    return line(found.trim().replace(/^(["'])(.*)\1$/, "$2"));
  };
  return {
    title: value("title") || value("name"),
    description: value("description"),
    words: () => wordsOfFile(path),
  };
}

function line(value: unknown): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
}
