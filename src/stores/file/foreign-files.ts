import { lstatSync } from "node:fs";
import { ioErrorCode } from "../../kit/io-errors.ts";
import { refuseHardLinks } from "./plain-file.ts";
import { requireClearPath, UnsafePathError } from "./safe-folder.ts";

/** Names, one sentence each, what occupies paths where only our files and folders may be. */
export function foreignFilesAt(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(foreignFileOn))];
}

function foreignFileOn(path: string): string[] {
  try {
    requireClearPath(path);
    refuseHardLinks(path, () => lstatSync(path, { bigint: true, throwIfNoEntry: false }));
    return [];
  } catch (error) {
    if (error instanceof UnsafePathError) return [error.message];
    if (ioErrorCode(error) === undefined) throw error;
    return []; // what cannot be examined is reported by its user
  }
}
