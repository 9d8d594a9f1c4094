import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { markFile } from "../kit/generated-mark.ts";
import { isObject, type JsonObject } from "../kit/json.ts";
import { sha256 } from "../kit/sha256.ts";
import { type Files, jsonFile } from "./files.ts";

/** The parsed mark of an earlier generation. */
export type GenerationMark = { readonly bot: string; readonly files: ReadonlyMap<string, string> };

/** The folders of a package that hold only generated files. */
export const ownedFolders = [
  "clients",
  "definitions",
  "runtime",
  "hooks",
  "skills",
  ".claude-plugin",
  ".codex-plugin",
  ".agents",
];

/** Writes the mark for these files. */
export function markOf(bot: string, waymark: string, files: Files): Uint8Array {
  const hashes = [...files].map(([path, bytes]) => [path, sha256(bytes)]);
  return jsonFile({ waymark, bot, files: Object.fromEntries(hashes) });
}

/** Reads the mark of a folder; undefined without a valid one. */
export function readMark(folder: string): GenerationMark | undefined {
  const value = readObject(join(folder, markFile));
  if (value === undefined || typeof value.bot !== "string" || !isObject(value.files)) return undefined;
  const files = Object.entries(value.files).flatMap(([path, hash]) =>
    typeof hash === "string" && isOfPackage(path) ? [[path, hash] as const] : [],
  );
  return { bot: value.bot, files: new Map(files) };
}

/** True for a path where a package has files; a forged mark must not get other files removed. */
function isOfPackage(path: string): boolean {
  const [top = "", ...rest] = path.split("/");
  const isPlain = [top, ...rest].every((part) => part !== "" && part !== "." && part !== ".." && !part.includes("\\"));
  return isPlain && (rest.length === 0 || ownedFolders.includes(top));
}

/** Lists the files that were changed in a generated folder, or added among generated files. */
export function changesIn(folder: string, { files }: GenerationMark): string[] {
  const changed = [...files].filter(([path, hash]) => {
    const bytes = path === "package.json" ? undefined : readBytes(join(folder, path));
    return bytes !== undefined && sha256(bytes) !== hash;
  });
  const added = ownedFolders.flatMap((owned) =>
    filesBelow(folder, owned).filter((path) => !files.has(path) && !/(?:^|\/)(?:\.DS_Store|Thumbs\.db)$/.test(path)),
  );
  return [...changed.map(([path]) => path), ...added].sort();
}

/** Reads a JSON object; undefined if the file is missing or is not one. */
export function readObject(path: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readBytes(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined; // removed, so it is written again
  }
}

function filesBelow(folder: string, owned: string): string[] {
  try {
    return readdirSync(join(folder, owned), { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .split(sep)
          .join("/"),
      );
  } catch {
    return [];
  }
}
