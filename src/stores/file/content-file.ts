import { closeSync, constants, lstatSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { liesIn } from "../../paths/lies-in.ts";
import { type ContentPlace, type Ground, placeOf, refuseGuarded } from "./content-place.ts";
import { type Identity, isSame, replaceFile, syncFoldersUpTo } from "./disk.ts";
import { faultCode, unlessFault } from "./faults.ts";
import { openAt } from "./plain-file.ts";
import { openWay, type Way } from "./way.ts";

/** Saves a file of a project area at its place, whole and for good; returns a warning where that failed. What becomes of a folder meanwhile leads nowhere else. */
export function saveFile(ground: Ground, path: string, bytes: Buffer, tmp: string): string | undefined {
  const place = placeOf(ground, path); // again: links may have been laid since it was held
  if ("problem" in place) return unsaved(path, place.problem);
  try {
    return write(ground, place, bytes, tmp) ? undefined : unsaved(path, "its folder was moved or replaced meanwhile");
  } catch (error) {
    const code = faultCode(error);
    if (code === undefined) throw error;
    return unsaved(path, code === "ELOOP" ? "a link was laid there meanwhile" : code);
  }
}

/** Writes a file below a folder where nothing stands yet, or just this; says why it was not. The same rules hold as for a project area. */
export function saveNewFile(folder: string, path: string, bytes: Buffer): string | undefined {
  const ground = { area: folder, guarded: [] };
  const place = placeOf(ground, path);
  if ("problem" in place) return place.problem;
  if (place.size !== null)
    return readFile(ground, place)?.equals(bytes) === true ? undefined : "another file stands there";
  try {
    return write(ground, place, bytes, place.root) ? undefined : "its folder was moved or replaced meanwhile";
  } catch (error) {
    const code = faultCode(error);
    if (code === undefined) throw error;
    return code;
  }
}

/** Reads a file of a project area at its place, through no link that was laid since it was looked at; undefined where it cannot be read. */
export function readFile(ground: Ground, { root, folders, name, target }: ContentPlace): Buffer | undefined {
  return unlessFault(() => {
    const way = openWay(root, folders, { meet: (at) => refuseGuarded(ground, at) });
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

function write(ground: Ground, { root, folders, name }: ContentPlace, bytes: Buffer, tmp: string): boolean {
  const way = openWay(root, folders, { make: true, meet: (at) => refuseGuarded(ground, at) });
  try {
    const target = join(way.at, name);
    const mode = lstatSync(target, { throwIfNoEntry: false })?.mode;
    if (!way.isThere()) return false;
    const written = replaceFile(target, [bytes], tmp, { durable: true, ...(mode === undefined ? {} : { mode }) });
    if (way.isThere()) {
      if (way.made !== undefined) syncFoldersUpTo(join(root, ...folders), dirname(way.made));
      return true;
    }
    takeBack(root, way, name, written);
    return false;
  } finally {
    way.close();
  }
}

/** What landed outside, because its folder went there, does not stay. */
function takeBack(root: string, { at }: Way, name: string, written: Identity): void {
  unlessFault(() => {
    const stray = join(at, name);
    const isOurs = isSame(lstatSync(stray, { bigint: true }), written);
    if (isOurs && !liesIn(root, realpathSync.native(at))) rmSync(stray, { force: true });
  });
}

function unsaved(path: string, why: string): string {
  return `Unable to save ${path} (${why}). It is kept, and saved as soon as that works.`;
}
