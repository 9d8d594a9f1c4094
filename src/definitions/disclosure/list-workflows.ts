import { basename, join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { WorkflowListing } from "../../engine/ports/phased.ts";
import { frontMatterIn } from "../../kit/front-matter.ts";
import { isObject } from "../../kit/json.ts";
import { readJson, readText } from "../files/json-file.ts";
import { yamlMapping } from "../files/yaml.ts";
import { readMetadata } from "../phases/metadata.ts";
import { type WorkflowLocation, workflowLocations, workflowsNamed } from "../phases/workflow-locations.ts";
import { hideWords } from "./hide-phases.ts";
import { type RevealingWords, revealingWordsInFile, revealingWordsInFolder } from "./revealing-words.ts";

/** Lists the phased workflows of a definitions folder without revealing anything about their phases. */
export function listWorkflows(definitions: DefinitionSnapshot): readonly WorkflowListing[] {
  const { places } = workflowLocations(definitions);
  const found = places.flatMap((place) => {
    const intro = place.kind === "folder" ? introInFolder(definitions, place) : introInFile(definitions, place);
    const aliases = place.aliases.filter(
      (alias) => workflowsNamed(places, alias).length === 1 && !isType(places, alias),
    );
    return [{ ...listedWorkflow(place, intro), ...(aliases.length === 0 ? {} : { aliases }) }];
  });
  const byType = new Map(found.map((one) => [one.type, one]));
  return [...byType.values()];
}

/** True if a name is the type of another workflow. */
function isType(places: readonly WorkflowLocation[], name: string): boolean {
  return places.some(({ type }) => type === name);
}

/** A workflow's title and description, and the words they must not reveal. */
type WorkflowIntro = { readonly title: string; readonly description: string; readonly words: () => RevealingWords };

/** The entry of a workflow; skips the word search for a text that only repeats the name. */
function listedWorkflow(
  { type, path, aliases }: WorkflowLocation,
  { title, description, words }: WorkflowIntro,
): WorkflowListing {
  const names = new Set([type, ...aliases, basename(path)]);
  const isBare = description === "" && (title === "" || names.has(title));
  if (isBare) return { type, title: title || type, description };
  const found = words();
  const own = new Set([...names].map((name) => name.toLowerCase()));
  const telling = { ...found, fields: new Set([...found.fields].filter((field) => !own.has(field))) };
  const intro = (text: string): string => hideWords(text, telling);
  return { type, title: intro(title) || type, description: intro(description) };
}

function introInFolder(definitions: DefinitionSnapshot, { path }: WorkflowLocation): WorkflowIntro {
  const file = join(path, "metadata.json");
  const read = readJson(definitions, file);
  const value = "value" in read && isObject(read.value) ? read.value : {};
  return {
    title: line(value.title ?? value.name),
    description: line(value.description),
    words: () =>
      revealingWordsInFolder(definitions, path, [...readMetadata(definitions, file).metadata.phases.values()]),
  };
}

/** Reads the front matter of a one-file workflow. */
function introInFile(definitions: DefinitionSnapshot, { path }: WorkflowLocation): WorkflowIntro {
  const text = readText(definitions, path) ?? "";
  const { title, name, description } = yamlMapping(frontMatterIn(text)?.source ?? "");
  return {
    title: line(title) || line(name),
    description: line(description),
    words: () => revealingWordsInFile(definitions, path),
  };
}

function line(value: unknown): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ").trim() : "";
}
