import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { decodeIndex, encodeIndex, type IndexContents, type SavedIndex } from "./index-file.ts";

/** Loads a saved index if it can be used; a damaged one gives a warning. */
export async function loadIndex(path: string): Promise<{ readonly saved?: SavedIndex; readonly warning?: string }> {
  let bytes: Buffer;
  try {
    if ((await lstat(dirname(path))).isSymbolicLink()) return {};
    bytes = await readFile(path, {
      flag: constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    });
  } catch {
    return {};
  }
  const saved = decoded(bytes);
  if (saved === "other") return {};
  return saved === "damaged" ? { warning: "The search index was damaged and is being rebuilt." } : { saved };
}

/** Saves an index atomically, and returns a warning if that fails. */
export async function saveIndex(path: string, index: IndexContents): Promise<string | undefined> {
  return writeWhole(path, encodeIndex(index), "The search index cannot be saved; search works without it");
}

/** Writes a file beside its target and renames it. */
export async function writeWhole(path: string, bytes: Buffer, trouble: string): Promise<string | undefined> {
  const beside = `${path}.${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    if ((await lstat(dirname(path))).isSymbolicLink())
      return `${trouble} (its folder is a link, and links are not followed).`;
    await writeFile(beside, bytes);
    await rename(beside, path);
    return undefined;
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    return `${trouble} (${code}).`;
  }
}

function decoded(bytes: Buffer): ReturnType<typeof decodeIndex> {
  try {
    return decodeIndex(bytes);
  } catch {
    return "damaged";
  }
}
