import { closeSync, constants, lstatSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ioErrorCode, unlessIoError } from "../../kit/io-errors.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { sha256 } from "../../kit/sha256.ts";
import { type Identity, isSameFile, replaceFile, syncFoldersUpTo } from "./atomic-file.ts";
import { type ContentArea, type ContentFile, refuseGuarded, resolveContent } from "./content-target.ts";
import { openAt } from "./plain-file.ts";
import { openSafeFolder, type SafeFolder } from "./safe-folder.ts";

/** Saves a file of a project area durably; returns warnings if that fails. A folder swapped meanwhile cannot redirect it. */
export function saveFile(
  ground: ContentArea,
  path: string,
  place: ReturnType<typeof resolveContent>,
  bytes: Buffer,
  tmp: string,
): readonly string[] {
  if ("problem" in place) return [unsavedMessage(path, place.problem)];
  try {
    return write(ground, place, bytes, tmp) ? [] : [unsavedMessage(path, "its folder was moved or replaced")];
  } catch (error) {
    const code = ioErrorCode(error);
    if (code === undefined) throw error;
    return [unsavedMessage(path, code === "ELOOP" ? "it was replaced by a link" : code)];
  }
}

/** Writes a new file below a folder, unless another one exists there; returns the reason if it was not written. */
export function saveNewFile(folder: string, path: string, bytes: Buffer): string | undefined {
  const ground = { area: folder, guarded: [] };
  const place = resolveContent(ground, path);
  if ("problem" in place) return place.problem;
  if (place.size !== null)
    return readFile(ground, place)?.equals(bytes) === true ? undefined : "another file exists there";
  try {
    return write(ground, place, bytes, place.root) ? undefined : "its folder was moved or replaced";
  } catch (error) {
    const code = ioErrorCode(error);
    if (code === undefined) throw error;
    return code;
  }
}

/** Reads a file of a project area without following links created since; undefined if it cannot be read. */
export function readFile(ground: ContentArea, { root, folders, name, target }: ContentFile): Buffer | undefined {
  return unlessIoError(() => {
    const way = openSafeFolder(root, folders, { onFolder: (at) => refuseGuarded(ground, at) });
    try {
      const fd = openAt(join(way.at, name), constants.O_RDONLY, target);
      try {
        return readFileSync(fd);
      } finally {
        closeSync(fd);
      }
    } finally {
      way.close();
    }
  });
}

/** Erases a submitted file that still has the recorded content; returns the reason if it stays. A missing one needs nothing. */
export function eraseFile(ground: ContentArea, path: string, digest: string): string | undefined {
  const place = resolveContent(ground, path);
  if ("problem" in place) return place.problem;
  if (place.size === null) return undefined;
  const bytes = readFile(ground, place);
  if (bytes === undefined) return "it cannot be read";
  if (sha256(bytes) !== digest) return "it was changed since it was submitted";
  const { root, folders, name } = place;
  const way = openSafeFolder(root, folders, { onFolder: (at) => refuseGuarded(ground, at) });
  try {
    rmSync(join(way.at, name));
    return undefined;
  } catch (error) {
    const code = ioErrorCode(error);
    if (code === undefined) throw error;
    return code;
  } finally {
    way.close();
  }
}

function write(ground: ContentArea, { root, folders, name }: ContentFile, bytes: Buffer, tmp: string): boolean {
  const way = openSafeFolder(root, folders, { make: true, onFolder: (at) => refuseGuarded(ground, at) });
  try {
    const target = join(way.at, name);
    const mode = lstatSync(target, { throwIfNoEntry: false })?.mode;
    if (!way.isInPlace()) return false;
    const written = replaceFile(target, [bytes], tmp, { durable: true, ...(mode === undefined ? {} : { mode }) });
    if (way.isInPlace()) {
      if (way.made !== undefined) syncFoldersUpTo(join(root, ...folders), dirname(way.made));
      return true;
    }
    removeEscaped(root, way, name, written);
    return false;
  } finally {
    way.close();
  }
}

/** Removes a file that landed outside because its folder was moved. */
function removeEscaped(root: string, { at }: SafeFolder, name: string, written: Identity): void {
  unlessIoError(() => {
    const stray = join(at, name);
    const isOurs = isSameFile(lstatSync(stray, { bigint: true }), written);
    if (isOurs && !isPathInside(root, realpathSync.native(at))) rmSync(stray, { force: true });
  });
}

function unsavedMessage(path: string, why: string): string {
  return `Unable to save ${path} (${why}). Waymark keeps it and will retry.`;
}
