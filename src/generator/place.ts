import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { markFile } from "../evidence/generated-mark.ts";
import type { JsonObject } from "../evidence/json.ts";
import { liesIn } from "../paths/lies-in.ts";
import { realPathToComeSync } from "../paths/real-path.ts";
import { changesIn, type Mark, ownedFolders, readMark, readObject } from "./mark.ts";

/** A folder that a package may be put into, and what an earlier generation left there. */
export type Place = {
  readonly folder: string;
  readonly exists: boolean;
  readonly mark?: Mark;
  /** Its package.json, where we wrote the first version of it, for this bot. */
  readonly kept: JsonObject;
};

export type PlaceRequest = {
  readonly out: string;
  readonly bot: string;
  /** Folders that must stay what they are: the project, and the definitions. */
  readonly sources: readonly string[];
  readonly force: boolean;
};

/** Looks whether a package may be put somewhere: nothing that Waymark did not write is ever removed, or overwritten unasked. */
export function lookAtPlace({ out, bot, sources, force }: PlaceRequest): Place | { readonly refused: string } {
  const folder = realPathToComeSync(out);
  const [definitions] = sources;
  const isMixed = sources.some((source) => liesIn(folder, realPathToComeSync(source)));
  if (isMixed || (definitions !== undefined && liesIn(realPathToComeSync(definitions), folder))) {
    return { refused: `${out} is where the project or its definitions are. Name a folder of its own with --out.` };
  }
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return { folder, exists: false, kept: {} };
  if (!stats.isDirectory()) return { refused: `${out} is a file. Name a folder with --out.` };
  const names = readdirSync(folder);
  if (names.length === 0) return { folder, exists: true, kept: {} };
  const mark = readMark(folder);
  const problem = mark === undefined ? strangers(folder, names, force) : changes(folder, mark, bot, force);
  if (problem !== undefined) return { refused: `${out} ${problem}` };
  if (mark === undefined) return { folder, exists: true, kept: {} };
  const kept = mark.bot === bot ? readObject(join(folder, "package.json")) : undefined;
  return { folder, exists: true, mark, kept: kept ?? {} };
}

function strangers(folder: string, names: readonly string[], force: boolean): string | undefined {
  if (!force) {
    return "is not empty, and Waymark did not write what is in it. Name another folder with --out, or write beside it with --force.";
  }
  const taken = names.filter((name) => ownedFolders.includes(name) || lstatSync(join(folder, name)).isSymbolicLink());
  if (taken.length === 0) return undefined;
  return `holds ${listed(taken)}, which Waymark did not write and would have to replace. Name another folder with --out.`;
}

function changes(folder: string, mark: Mark, bot: string, force: boolean): string | undefined {
  if (force) return undefined;
  if (mark.bot !== bot) {
    return `holds the server of ${mark.bot}. Name another folder with --out, or replace it with --force.`;
  }
  const changed = changesIn(folder, mark);
  const isReadable = readObject(join(folder, "package.json")) !== undefined;
  if (!isReadable && readdirSync(folder).includes("package.json")) changed.push("package.json");
  if (changed.length === 0) return undefined;
  return `was changed since it was generated: ${listed(changed)}. Bring what you need into the bot, then discard the rest with --force (${markFile} has the list).`;
}

function listed(paths: readonly string[]): string {
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : "";
  return paths.slice(0, 5).join(", ") + more;
}
