import { close, closeSync, ftruncateSync, linkSync, lstatSync } from "node:fs";
import type { Era, Pieces } from "../projections/pieces.ts";
import {
  type Identity,
  isSame,
  type Placing,
  putInPlace,
  removeFile,
  replaceFile,
  type Temp,
  tempPath,
  writeWhole,
} from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { discard, type Fresh, freshFiles } from "./fresh-files.ts";
import { reach } from "./way.ts";

/** Puts one file in place again and again. */
export type Placer = {
  replace(pieces: Pieces, placing: Placing): Identity;
  /** Gives back the room that copies take; the next file is made anew. */
  close(): void;
};

/** A file with a content of ours: what a later content has in common with it need not be written again. */
type Copy = { readonly fd: number; readonly era: Era; readonly stable: number; readonly identity: Identity };

/** The copy that stood in place before: it lives on under a name of its own, to be the next one. */
type Retired = Copy & Temp & { readonly since: number };

/**
 * Like `replaceFile`, for a file that is replaced at every call: the file that stood there before the last one is
 * brought up to date at its end, and takes its place. What it costs does not depend on how long the file is.
 */
export function openPlacer(target: string, tmp: string): Placer {
  const fresh = freshFiles(tmp);
  let isInUse = false;
  let canLink = true;
  let placed: Copy | undefined;
  let retired: Retired | undefined;

  /** The retired copy, where nobody can be reading it any more, and nobody has touched it or linked to it. */
  function takeRetired(): Retired | undefined {
    if (retired === undefined || performance.now() - retired.since < readingTime) return undefined;
    const copy = retired;
    retired = undefined;
    const found = unlessFault(() => lstatSync(copy.path, { bigint: true }));
    if (found?.nlink === 1n && isSame(found, copy.identity)) return copy;
    discard(copy);
    return undefined;
  }

  /** Gives the file in place a second name. Where another process has put its own there, that name is found to be wrong later. */
  function keepPlaced(): Retired | undefined {
    if (placed === undefined || retired !== undefined || !canLink) return undefined;
    const path = tempPath(tmp);
    canLink = unlessFault(() => [reach(path, (at) => linkSync(target, at))]) !== undefined;
    return canLink ? { ...placed, path, since: 0 } : undefined;
  }

  function giveBack(): void {
    fresh.close();
    const { fd } = placed ?? {};
    if (fd !== undefined) unlessFault(() => closeSync(fd));
    if (retired !== undefined) discard(retired);
    placed = undefined;
    retired = undefined;
  }

  function put(pieces: Pieces, placing: Placing): Identity | undefined {
    const spare = takeRetired();
    const temp: Fresh = spare === undefined ? fresh.take() : { ...spare, size: Number(spare.identity.size) };
    let kept: Retired | undefined;
    const identity = unlessFault(() => {
      write(temp, pieces);
      kept = keepPlaced();
      return putInPlace(temp, target, placing);
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
    // Making files and freeing them take their time: after the answer.
    setImmediate(() => {
      if (kept === undefined && before !== undefined) close(before.fd, () => {});
      if (spare === undefined) fresh.prepare(pieces);
    });
    placed = { fd: temp.fd, era: pieces.era, stable: pieces.stable.length, identity };
    return identity;
  }

  return {
    replace(pieces, placing) {
      // A command that replaces the file once and ends leaves nothing else behind.
      const identity = isInUse ? put(pieces, placing) : undefined;
      isInUse = true;
      return identity ?? replaceFile(target, [pieces.stable, pieces.ending], tmp, placing);
    },
    close: giveBack,
  };
}

/** Nobody takes longer than this, in milliseconds, from opening a file of ours to reading it, on the busiest machine. */
const readingTime = 10_000;

function write({ fd, ...written }: Fresh, { era, stable, ending }: Pieces): void {
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
