import { close, closeSync, ftruncateSync, linkSync, lstatSync } from "node:fs";
import { unlessIoError } from "../../kit/io-errors.ts";
import type { Era, FilePieces } from "../projections/file-pieces.ts";
import {
  type Identity,
  isSameFile,
  type PlaceOptions,
  placeFile,
  removeFile,
  replaceFile,
  type Temp,
  tempPath,
  writeWhole,
} from "./atomic-file.ts";
import { atPath } from "./safe-folder.ts";
import { discard, type FreshFile, freshFiles, leastAhead } from "./temp-files.ts";

/** Replaces one file again and again. */
export type FileReplacer = {
  replace(pieces: FilePieces, placing: PlaceOptions): Identity;
  /** Frees the space of copies; the next file is made from scratch. */
  close(): void;
};

/** A file with our content, whose common beginning need not be written again. */
type PlacedCopy = { readonly fd: number; readonly era: Era; readonly stable: number; readonly identity: Identity };

/** The previous copy, kept under its own name for reuse. */
type RetiredCopy = PlacedCopy & Temp & { readonly since: number };

/**
 * Like `replaceFile` for a file that every call replaces: the copy before the last is updated at its end and moved into place, so the
 * cost does not depend on the file's length.
 */
export function openFileReplacer(target: string, tmp: string): FileReplacer {
  const fresh = freshFiles(tmp);
  let isInUse = false;
  let canLink = true;
  let placed: PlacedCopy | undefined;
  let retired: RetiredCopy | undefined;

  /** The retired copy, if it can have no reader and was not touched or linked. */
  function takeRetired(): RetiredCopy | undefined {
    if (retired === undefined || performance.now() - retired.since < readingTime) return undefined;
    const copy = retired;
    retired = undefined;
    const found = unlessIoError(() => lstatSync(copy.path, { bigint: true }));
    if (found?.nlink === 1n && isSameFile(found, copy.identity)) return copy;
    discard(copy);
    return undefined;
  }

  /** Gives the file in place a second name; if another process replaced it, that is noticed later. */
  function keepPlaced(): RetiredCopy | undefined {
    if (placed === undefined || retired !== undefined || !canLink) return undefined;
    const path = tempPath(tmp);
    canLink = unlessIoError(() => [atPath(path, (at) => linkSync(target, at))]) !== undefined;
    return canLink ? { ...placed, path, since: 0 } : undefined;
  }

  function giveBack(): void {
    fresh.close();
    const { fd } = placed ?? {};
    if (fd !== undefined) unlessIoError(() => closeSync(fd));
    if (retired !== undefined) discard(retired);
    placed = undefined;
    retired = undefined;
  }

  function put(pieces: FilePieces, placing: PlaceOptions): Identity | undefined {
    const spare = takeRetired();
    const temp: FreshFile = spare === undefined ? fresh.take() : { ...spare, size: Number(spare.identity.size) };
    let kept: RetiredCopy | undefined;
    const identity = unlessIoError(() => {
      write(temp, pieces);
      kept = keepPlaced();
      return placeFile(temp, target, placing);
    });
    if (identity === undefined) {
      discard(temp);
      const { path } = kept ?? {};
      if (path !== undefined) removeFile(path);
      giveBack();
      return undefined;
    }
    const before = placed;
    if (kept !== undefined) retired = { ...kept, since: performance.now() };
    // Creating and freeing files takes time, so it follows the reply.
    setImmediate(() => {
      if (kept === undefined && before !== undefined) free(before);
      if (spare === undefined) fresh.prepare(pieces);
    });
    placed = { fd: temp.fd, era: pieces.era, stable: pieces.stable.length, identity };
    return identity;
  }

  return {
    replace(pieces, placing) {
      // A command that replaces the file once leaves no copy behind.
      const identity = isInUse ? put(pieces, placing) : undefined;
      isInUse = true;
      return identity ?? replaceFile(target, [pieces.stable, pieces.ending], tmp, placing);
    },
    close: giveBack,
  };
}

/** Closes a replaced file; a long one takes time to free, and waking a thread for a short one takes more. */
function free({ fd, stable }: PlacedCopy): void {
  if (stable >= leastAhead) close(fd, () => {});
  else unlessIoError(() => closeSync(fd));
}

/** The longest time in milliseconds between opening and reading our file on a busy machine. */
const readingTime = 10_000;

function write({ fd, ...written }: FreshFile, { era, stable, ending }: FilePieces): void {
  const from = written.era === era ? (written.stable ?? 0) : 0;
  const end = stable.length + ending.length;
  const isShort = end - from < 65_536; // a call costs more than a copy
  if (isShort) writeWhole(fd, Buffer.concat([stable.subarray(from), ending]), from);
  else {
    writeWhole(fd, stable.subarray(from), from);
    writeWhole(fd, ending, stable.length);
  }
  if ((written.size ?? 0) > end) ftruncateSync(fd, end);
}
