import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { markFile } from "../kit/generated-mark.ts";
import { isPathInside } from "../kit/is-path-inside.ts";
import type { JsonObject } from "../kit/json.ts";
import { realPathOfNewSync } from "../kit/real-path.ts";
import { changesIn, type GenerationMark, ownedFolders, readMark, readObject } from "./generation-mark.ts";

/** A folder for a package, and what an earlier generation left there. */
export type PackageFolder = {
  readonly folder: string;
  readonly exists: boolean;
  readonly mark?: GenerationMark;
  /** Its package.json, if Waymark wrote the first version of it for this bot. */
  readonly kept: JsonObject;
};

export type PackageFolderRequest = {
  readonly out: string;
  readonly bot: string;
  /** Folders that must not change: the project and the definitions. */
  readonly sources: readonly string[];
  readonly force: boolean;
};

/** Checks that a package may go into a folder; files Waymark did not write are never removed, nor overwritten unasked. */
export function checkPackageFolder({
  out,
  bot,
  sources,
  force,
}: PackageFolderRequest): PackageFolder | { readonly refused: string } {
  const folder = realPathOfNewSync(out);
  const [definitions] = sources;
  const isMixed = sources.some((source) => isPathInside(folder, realPathOfNewSync(source)));
  if (isMixed || (definitions !== undefined && isPathInside(realPathOfNewSync(definitions), folder))) {
    return { refused: `${out} contains the project or its definitions. Choose a separate folder with --out.` };
  }
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return { folder, exists: false, kept: {} };
  if (!stats.isDirectory()) return { refused: `${out} is a file. Choose a folder with --out.` };
  const names = readdirSync(folder);
  if (names.length === 0) return { folder, exists: true, kept: {} };
  const mark = readMark(folder);
  const problem = mark === undefined ? foreignFiles(folder, names, force) : changedFiles(folder, mark, bot, force);
  if (problem !== undefined) return { refused: `${out} ${problem}` };
  if (mark === undefined) return { folder, exists: true, kept: {} };
  const kept = mark.bot === bot ? readObject(join(folder, "package.json")) : undefined;
  return { folder, exists: true, mark, kept: kept ?? {} };
}

function foreignFiles(folder: string, names: readonly string[], force: boolean): string | undefined {
  if (!force) {
    return "is not empty and has files that Waymark did not write. Choose another folder with --out, or keep them and write beside them with --force.";
  }
  const taken = names.filter((name) => ownedFolders.includes(name) || lstatSync(join(folder, name)).isSymbolicLink());
  if (taken.length === 0) return undefined;
  return `has ${listed(taken)}, which Waymark did not write and would have to replace. Choose another folder with --out.`;
}

function changedFiles(folder: string, mark: GenerationMark, bot: string, force: boolean): string | undefined {
  if (force) return undefined;
  if (mark.bot !== bot) {
    return `has the server of ${mark.bot}. Choose another folder with --out, or replace it with --force.`;
  }
  const changed = changesIn(folder, mark);
  const isReadable = readObject(join(folder, "package.json")) !== undefined;
  if (!isReadable && readdirSync(folder).includes("package.json")) changed.push("package.json");
  if (changed.length === 0) return undefined;
  return `has changed since it was generated: ${listed(changed)}. Move what you need into the bot, then discard the rest with --force (${markFile} has the list).`;
}

function listed(paths: readonly string[]): string {
  const more = paths.length > 5 ? ` and ${paths.length - 5} more` : "";
  return paths.slice(0, 5).join(", ") + more;
}
