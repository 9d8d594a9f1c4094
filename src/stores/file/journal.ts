import { closeSync, constants, fdatasync, fdatasyncSync, fstatSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { sha256 } from "../../evidence/sha256.ts";
import { identify, syncFoldersUpTo } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { type LineReader, type OnRead, readLines } from "./lines.ts";
import { openPlain } from "./plain-file.ts";
import { isClear, makeFolder } from "./way.ts";

/** An append-only file of lines, shared with any number of processes, without locks. */
export type Journal = {
  /** Whether it is still reached through no link: a folder of ours may be carried away after it was opened, and a link put in its place. */
  isClear(): boolean;
  /** Reads the lines that are new since the last time; false where the file cannot be read now. */
  catchUp(): boolean;
  /** Adds a line with one write and makes it survive a power cut; false where that failed, and then nothing is sure about it. */
  write(line: string): boolean;
  /** The same, with other work done while the line is made to last. Nothing else may be asked of the journal meanwhile. */
  writeMeanwhile(line: string, work: () => void): Promise<boolean>;
  /** Where a line was written but not made to last, writes everything that may be lost with it once more; false where that fails too. */
  makeSure(): boolean;
  /** Names the file that the next line goes to, which is created if need be, whoever writes to it; undefined where it cannot be told from another. */
  copy(): string | undefined;
  /** The open file, and how far its lines have been read. */
  progress(): { readonly fd: number; readonly offset: number } | undefined;
  /** Reads every line again, as far as `catchUp` has come. */
  scan(line: LineReader): void;
  /** The same for somebody who takes breaks; undefined where there is nothing to read. */
  reading(): Reading | undefined;
  close(): void;
};

/** The lines of one file up to where they had been read: `read` answers undefined once another file stands in its place. */
export type Reading = {
  /** Tells one file from another. */
  readonly source: object;
  readonly end: number;
  read(from: number, to: number, line: LineReader): number | undefined;
};

/** Who hears of the lines: each one in turn, and that the file was replaced and begins anew. */
export type JournalReader = {
  readonly line: LineReader;
  /** What was read so far no longer counts; `before` is the file that was read, as long as it can still be. */
  beganAnew(before: { readonly fd: number; readonly size: number } | undefined): void;
  /** The file has been opened: says from which offset on its lines are news. */
  resume?(fd: number, size: number): number;
  readonly onRead?: OnRead | undefined;
};

/** Opens the journal at a path; nothing is created before the first line is written. `top` is the folder that is known to last. */
export function openJournal(file: string, top: string, reader: JournalReader): Journal {
  let source: { readonly fd: number; readonly dev: bigint; readonly ino: bigint } | undefined;
  let appending: number | undefined;
  let copy: string | undefined;
  let offset = 0;
  let size = 0;
  let foldersLast = false;
  /** Everything before this has been made to last. */
  let sureUpTo = 0;
  /** A sync has failed: the kernel may have dropped what was not yet on disk, and says so only once. */
  let isDoubtful = false;
  let doubtfulUpTo: number | undefined;

  function close(): void {
    for (const fd of [source?.fd, appending]) if (fd !== undefined) unlessFault(() => closeSync(fd));
    source = undefined;
    appending = undefined;
  }

  function forget(): void {
    if (source === undefined && appending === undefined) return;
    reader.beganAnew(source === undefined ? undefined : { fd: source.fd, size: offset });
    close();
    offset = 0;
    size = 0;
    foldersLast = false;
    sureUpTo = 0;
    isDoubtful = false;
    doubtfulUpTo = undefined;
  }

  function readNew(): true {
    const stat = identify(file);
    const isOther = stat?.ino !== source?.ino || stat?.dev !== source?.dev;
    if (stat === undefined || (source !== undefined && (isOther || stat.size < offset))) forget();
    if (stat === undefined || (source !== undefined && Number(stat.size) === size)) return true;
    const isFirst = source === undefined;
    source ??= openSource(file);
    const end = isFirst ? fstatSync(source.fd).size : Number(stat.size);
    if (isFirst) offset = reader.resume?.(source.fd, end) ?? 0;
    offset = readLines(source.fd, offset, end, reader.line, reader.onRead);
    size = end;
    if (isFirst && !isDoubtful) sureUpTo = offset;
    return true;
  }

  function openToAppend(): number {
    if (appending !== undefined) return appending;
    makeFolder(dirname(file));
    appending = openPlain(file, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
    const fd = appending;
    copy = unlessFault(() => nameOf(fd));
    return fd;
  }

  /** Adds a line; what is then written stands there, and nothing is sure about it. Undefined where not all of it was taken. */
  function add(text: Buffer): { readonly fd: number; readonly before: number } | undefined {
    const fd = openToAppend();
    // A line that somebody tore off is closed first, so that it stays junk and ours stands alone.
    const bytes = Buffer.concat([Buffer.from(size > offset ? "\n" : ""), text, Buffer.from("\n")]);
    const added = { fd, before: offset };
    if (writeSync(fd, bytes) !== bytes.length) return undefined;
    isDoubtful = true;
    return added;
  }

  /** The line is on disk: so must be the folders that lead there. */
  function lasts(before: number): true {
    isDoubtful = false;
    if (!foldersLast) syncFoldersUpTo(dirname(file), top);
    foldersLast = true;
    sureUpTo = before;
    return true;
  }

  function append(text: Buffer): boolean {
    const added = add(text);
    if (added === undefined) return false;
    fdatasyncSync(added.fd);
    return lasts(added.before);
  }

  /** A descriptor whose sync failed would report success the next time. */
  function letGo(): false {
    const fd = appending;
    appending = undefined;
    if (fd !== undefined) unlessFault(() => closeSync(fd));
    return false;
  }

  function tryAppend(text: Buffer): boolean {
    return unlessFault(() => append(text)) === true || letGo();
  }

  async function writeMeanwhile(line: string, work: () => void): Promise<boolean> {
    const added = unlessFault(() => add(Buffer.from(line)));
    if (added === undefined) return letGo();
    const synced = new Promise<boolean>((resolve) => fdatasync(added.fd, (error) => resolve(error === null)));
    work();
    if (!(await synced)) return letGo();
    return unlessFault(() => lasts(added.before)) === true || letGo();
  }

  function makeSure(): boolean {
    if (!isDoubtful || source === undefined) return true;
    doubtfulUpTo ??= size; // fixed, so that trying again and again does not double what is written
    const doubtful = Buffer.alloc(doubtfulUpTo - sureUpTo);
    readSync(source.fd, doubtful, 0, doubtful.length, sureUpTo);
    if (doubtful.length > 0 && !tryAppend(doubtful)) return false;
    isDoubtful = false;
    doubtfulUpTo = undefined;
    return readNew();
  }

  return {
    isClear: () => unlessFault(() => isClear(dirname(file))) === true,
    catchUp: () => unlessFault(readNew) === true,
    makeSure: () => unlessFault(makeSure) === true,
    copy() {
      if (unlessFault(openToAppend) === undefined) return undefined;
      return copy;
    },
    write: (line) => tryAppend(Buffer.from(line)),
    writeMeanwhile,
    progress: () => (source === undefined ? undefined : { fd: source.fd, offset }),
    scan(line) {
      if (source !== undefined) readLines(source.fd, 0, offset, line);
    },
    reading() {
      if (source === undefined) return undefined;
      const opened = source;
      const end = offset;
      const read: Reading["read"] = (from, to, line) => {
        reader.onRead?.(to, end);
        return source === opened ? readLines(opened.fd, from, to, line) : undefined;
      };
      return { source: opened, end, read };
    },
    close,
  };
}

function openSource(file: string): { fd: number; dev: bigint; ino: bigint } {
  const fd = openPlain(file, constants.O_RDONLY);
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return { fd, dev, ino };
}

/** A file is known by its number and by when it came to be: numbers are given again. Not every file system knows the second. */
function nameOf(fd: number): string | undefined {
  const { ino, birthtimeNs } = fstatSync(fd, { bigint: true });
  return birthtimeNs === 0n ? undefined : sha256(`${ino} ${birthtimeNs}`).slice(0, 16);
}
