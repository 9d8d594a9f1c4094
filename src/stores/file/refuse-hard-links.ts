import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isOwnName } from "../../kit/portable-path.ts";
import { unlessIoError } from "./io-errors.ts";
import { inFolder, projectOf, UnsafePathError } from "./safe-folder.ts";
import { engineFolder } from "./stream-paths.ts";

/**
 * Throws if a file of ours has a second name (a hard link), through which it could be read or written elsewhere; our own temporary names
 * do not count.
 */
export function refuseHardLinks(path: string, look: () => BigIntStats | undefined): void {
  const area = projectOf(path) ?? (isOwnName(basename(path)) ? dirname(path) : undefined);
  if (area === undefined) return;
  // Our temporary names come and go, so an unexplained count is checked again.
  for (let tries = 0; tries < 3; tries++) {
    const found = look();
    if (found === undefined || !found.isFile() || found.nlink - namesInTemp(area, found) <= 1n) return;
  }
  throw new UnsafePathError(path, "has a hard link elsewhere, and Waymark does not share its files", hardLinkFix);
}

const hardLinkFix = "Replace it with a separate copy, or remove it.";

/** The number of a file's names among our temporary ones. */
function namesInTemp(area: string, { nlink, ino, dev }: BigIntStats): bigint {
  if (nlink <= 1n) return 0n;
  const count = unlessIoError(() =>
    inFolder(join(engineFolder(area), "tmp"), (at) =>
      readdirSync(at).filter((name) => {
        const other = lstatSync(join(at, name), { bigint: true, throwIfNoEntry: false });
        return other?.ino === ino && other.dev === dev;
      }),
    ),
  );
  return BigInt(count?.length ?? 0);
}
