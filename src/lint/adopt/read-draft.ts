import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, posix, resolve } from "node:path";
import { parseYaml } from "../../definitions/files/yaml.ts";
import { isObject } from "../../kit/json.ts";
import { importSkill } from "./import-skill.ts";
import { importSpecKit } from "./import-spec-kit.ts";
import { importStateMachine } from "./import-state-machine.ts";
import { claimedPhases, type Imported, pagesOf } from "./imported-page.ts";

/** Definitions drafted outside the project's own: their files by path inside a definitions folder, and what is left out. */
export type Draft = {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly left: readonly string[];
  /** For a process in another format: what could not be carried over, and the phases that rest on the assistant's claim alone. */
  readonly imported?: { readonly notCarried: readonly string[]; readonly claimed: readonly string[] };
};

/** A draft is a handful of pages, not a repository. */
const [mostFiles, mostBytes] = [500, 1024 * 1024];
const parts = ["base_actions", "bots", "standards", "workflows"];

/** Reads a Markdown page, the folder of one workflow or bot, or a whole folder of definitions; says what else it is. */
export function readDraft(path: string, name?: string): Draft | { readonly problem: string } {
  const from = resolve(path);
  const found = lstatSync(from, { throwIfNoEntry: false });
  if (found === undefined) return { problem: `${path} does not exist` };
  if (found.isSymbolicLink()) return { problem: `${path} is a link, which is not followed` };
  const foreign = found.isDirectory() ? foreignFile(from) : isForeign(basename(from)) ? from : undefined;
  if (foreign !== undefined) return importDraft(foreign, name);
  const files = new Map<string, Uint8Array>();
  let left: readonly string[] = [];
  try {
    if (found.isFile()) {
      if (!/\.(md|markdown)$/i.test(from)) return { problem: `${path} is not a Markdown page` };
      addFile(files, from, `workflows/${plainName(name ?? basename(from).replace(/\.\w+$/, ""))}.md`);
    } else if (found.isDirectory()) {
      const place = placeOf(from, name);
      if (place === undefined)
        return {
          problem: `${path} holds neither a workflow (metadata.json or phases/), nor a bot (bot_config.json), nor ${parts.join("/, ")}/`,
        };
      for (const [folder, to] of place.taken) addFolder(files, folder, to);
      left = place.left;
    } else return { problem: `${path} is neither a page nor a folder` };
  } catch (error) {
    if (error instanceof DraftError) return { problem: error.message };
    throw error;
  }
  return files.size === 0 ? { problem: `${path} holds no files` } : { files, left };
}

/** Tells if a file has the name of another engine's process. */
function isForeign(name: string): boolean {
  return /\.ya?ml$/i.test(name) || /^skill\.md$/i.test(name);
}

/** The process of another engine in a folder: a skill, or a workflow.yml. */
function foreignFile(folder: string): string | undefined {
  const named = readdirSync(folder).find((name) => /^(?:skill\.md|workflow\.ya?ml)$/i.test(name));
  return named === undefined ? undefined : join(folder, named);
}

/** Imports a workflow of codemcp or spec-kit, or a skill, as pages of ours. */
function importDraft(path: string, given: string | undefined): Draft | { readonly problem: string } {
  try {
    const files = new Map<string, Uint8Array>();
    addFile(files, path, "source");
    const imported = importProcess(Buffer.from(files.get("source") ?? []).toString("utf8"), /\.md$/i.test(path));
    if ("problem" in imported) return { problem: `${path} cannot be adopted: ${imported.problem}` };
    const pages = pagesOf(imported, plainName(given ?? imported.name));
    const { notCarried } = imported;
    return {
      files: new Map([...pages].map(([file, text]) => [file, Buffer.from(text)])),
      left: [],
      imported: { notCarried, claimed: claimedPhases(imported) },
    };
  } catch (error) {
    if (error instanceof DraftError) return { problem: error.message };
    throw error;
  }
}

function importProcess(text: string, isPage: boolean): Imported | { readonly problem: string } {
  if (isPage) return importSkill(text);
  const read = parseYaml(text);
  if ("error" in read) return { problem: `line ${read.line}: ${read.error}` };
  const { value } = read;
  if (isObject(value) && isObject(value.states)) return importStateMachine(value);
  if (isObject(value) && Array.isArray(value.steps)) return importSpecKit(value);
  return { problem: "it has neither states (codemcp) nor steps (spec-kit)" };
}

class DraftError extends Error {}

/** The folders to take, where each belongs among definitions, and the names beside them that are left out. */
type DraftPlace = { readonly taken: readonly (readonly [string, string])[]; readonly left: readonly string[] };

function placeOf(folder: string, name = basename(folder)): DraftPlace | undefined {
  const has = (one: string): boolean => existsSync(join(folder, one));
  if (has("metadata.json") || has("phases")) return { taken: [[folder, `workflows/${plainName(name)}`]], left: [] };
  if (has("bot_config.json")) return { taken: [[folder, `bots/${plainName(name)}`]], left: [] };
  const home = has(".waymark") ? join(folder, ".waymark") : folder;
  const names = readdirSync(home).sort();
  const taken = names.filter((one) => parts.includes(one));
  if (taken.length === 0) return undefined;
  return { taken: taken.map((part) => [join(home, part), part]), left: names.filter((one) => !parts.includes(one)) };
}

function addFolder(files: Map<string, Uint8Array>, folder: string, to: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name.startsWith(".")) continue;
    const [path, target] = [join(folder, entry.name), posix.join(to, entry.name)];
    if (entry.isDirectory()) addFolder(files, path, target);
    else addFile(files, path, target);
  }
}

function addFile(files: Map<string, Uint8Array>, path: string, to: string): void {
  const found = lstatSync(path);
  if (!found.isFile()) throw new DraftError(`${path} is a link or a special file, which is not adopted`);
  if (found.size > mostBytes) throw new DraftError(`${path} is larger than 1 MB`);
  if (files.size >= mostFiles) throw new DraftError(`there are more than ${mostFiles} files`);
  const bytes = readFileSync(path);
  if (/\.(md|markdown|json|ya?ml|txt)$/i.test(path) && bytes.includes(0))
    throw new DraftError(`${path} is not a text file`);
  files.set(to, bytes);
}

/** A name as files and tools have it: `Release checklist` becomes `release-checklist`. */
function plainName(name: string): string {
  const plain = name
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-._]+|[-.]+$/g, "");
  if (plain.length > 100)
    throw new DraftError("the name is longer than 100 characters; give a shorter one with --name");
  if (plain === "") throw new DraftError(`${JSON.stringify(name)} is not a name; give one with --name`);
  return plain.toLowerCase();
}
