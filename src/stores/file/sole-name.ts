import { type BigIntStats, lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isOwnName } from "../../evidence/content-path.ts";
import { unlessFault } from "./faults.ts";
import { ownFolder } from "./places.ts";
import { InTheWay, inFolder, projectOf } from "./way.ts";

/**
 * Throws where a file of the engine's own is somebody else's too: it has another name (a hard link), so that what is written here would
 * stand there, and what stands there would be read here. The names that we give our own copies for a moment are none of anybody's.
 */
export function keepSole(path: string, look: () => BigIntStats | undefined): void {
  const area = projectOf(path) ?? (isOwnName(basename(path)) ? dirname(path) : undefined);
  if (area === undefined) return;
  // Our own names come and go meanwhile: what cannot be explained is looked at again.
  for (let tries = 0; tries < 3; tries++) {
    const found = look();
    if (found === undefined || !found.isFile() || found.nlink - namesInTemp(area, found) <= 1n) return;
  }
  throw new InTheWay(path, "has another name elsewhere (a hard link), and Waymark shares its files with nobody", cure);
}

const cure = "Put a copy that is a file of its own in its place, or remove it.";

/** How many names a file has among our temporary ones, where copies of what stands in place are kept. */
function namesInTemp(area: string, { nlink, ino, dev }: BigIntStats): bigint {
  if (nlink <= 1n) return 0n;
  const count = unlessFault(() =>
    inFolder(join(ownFolder(area), "tmp"), (at) =>
      readdirSync(at).filter((name) => {
        const other = lstatSync(join(at, name), { bigint: true, throwIfNoEntry: false });
        return other?.ino === ino && other.dev === dev;
      }),
    ),
  );
  return BigInt(count?.length ?? 0);
}
