import { closeSync, constants, fdatasyncSync, fstatSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { unlessIoError } from "../../kit/io-errors.ts";
import { sha256 } from "../../kit/sha256.ts";
import { identityAt, syncFoldersUpTo } from "./atomic-file.ts";
import { openPlain } from "./plain-file.ts";
import { type LineReader, type OnRead, readLines } from "./read-lines.ts";
import { isClear, makeFolder } from "./safe-folder.ts";

/** An append-only file of lines, shared by any number of processes without locks. */
export type Journal = {
  /** Tells if its path is still free of links: our folder may have been replaced by one. */
  isClear(): boolean;
  /** Reads new lines; false if the file cannot be read now. */
  catchUp(): boolean;
  /** Appends a line with one synced write; false if that failed, and then its fate is unknown. */
  write(line: string): boolean;
  /** Rewrites what a failed sync may have lost; false if that fails too. */
  makeSure(): boolean;
  /** Names the file of the next line, creating it if needed; undefined if it cannot be told from another. */
  copy(): string | undefined;
  /** The open file, and the offset read so far. */
  progress(): { readonly fd: number; readonly offset: number } | undefined;
  /** Reads every line again, as far as `catchUp` got. */
  scan(line: LineReader): void;
  /** Reads in parts; undefined if there is nothing to read. */
  reading(): Reading | undefined;
  close(): void;
};

/** The lines of one file up to an offset; `read` returns undefined once the file was replaced. */
export type Reading = {
  /** Identifies the file. */
  readonly source: object;
  readonly end: number;
  read(from: number, to: number, line: LineReader): number | undefined;
};

/** Receives the lines, and the news that the file was replaced. */
export type JournalReader = {
  readonly line: LineReader;
  /** Discards what was read; `before` is the previous file while it is readable. */
  beganAgain(before: { readonly fd: number; readonly size: number } | undefined): void;
  /** The file was opened: returns the offset from which lines are new. */
  resume?(fd: number, size: number): number;
  readonly onRead?: OnRead | undefined;
};

/** Opens the journal at a path; creates nothing before the first line. `top` is a folder known to be durable. */
export function openJournal(file: string, top: string, reader: JournalReader): Journal {
  let source: { readonly fd: number; readonly dev: bigint; readonly ino: bigint } | undefined;
  let appending: number | undefined;
  let copy: string | undefined;
  let offset = 0;
  let size = 0;
  let foldersLast = false;
  /** Everything before this offset is synced. */
  let sureUpTo = 0;
  /** A sync failed: the kernel may have dropped unsynced data, and reports it only once. */
  let isDoubtful = false;
  let doubtfulUpTo: number | undefined;

  function close(): void {
    for (const fd of [source?.fd, appending]) if (fd !== undefined) unlessIoError(() => closeSync(fd));
    source = undefined;
    appending = undefined;
  }

  function forget(): void {
    if (source === undefined && appending === undefined) return;
    reader.beganAgain(source === undefined ? undefined : { fd: source.fd, size: offset });
    close();
    offset = 0;
    size = 0;
    foldersLast = false;
    sureUpTo = 0;
    isDoubtful = false;
    doubtfulUpTo = undefined;
  }

  function readNew(): true {
    const stat = identityAt(file);
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
    copy = unlessIoError(() => nameOf(fd));
    return fd;
  }

  function append(text: Buffer): boolean {
    const fd = openToAppend();
    const before = offset;
    // Close a torn line first, so that it stays junk and ours is whole.
    const bytes = Buffer.concat([Buffer.from(size > offset ? "\n" : ""), text, Buffer.from("\n")]);
    if (writeSync(fd, bytes) !== bytes.length) return false;
    isDoubtful = true;
    fdatasyncSync(fd);
    isDoubtful = false;
    if (!foldersLast) syncFoldersUpTo(dirname(file), top);
    foldersLast = true;
    sureUpTo = before;
    return true;
  }

  /** Closes the descriptor: after a failed sync it would report success. */
  function letGo(): false {
    const fd = appending;
    appending = undefined;
    if (fd !== undefined) unlessIoError(() => closeSync(fd));
    return false;
  }

  function tryAppend(text: Buffer): boolean {
    return unlessIoError(() => append(text)) === true || letGo();
  }

  function makeSure(): boolean {
    if (!isDoubtful || source === undefined) return true;
    doubtfulUpTo ??= size; // fixed, so that retries do not double what is written
    const doubtful = Buffer.alloc(doubtfulUpTo - sureUpTo);
    readSync(source.fd, doubtful, 0, doubtful.length, sureUpTo);
    if (doubtful.length > 0 && !tryAppend(doubtful)) return false;
    isDoubtful = false;
    doubtfulUpTo = undefined;
    return readNew();
  }

  return {
    isClear: () => unlessIoError(() => isClear(dirname(file))) === true,
    catchUp: () => unlessIoError(readNew) === true,
    makeSure: () => unlessIoError(makeSure) === true,
    copy() {
      if (unlessIoError(openToAppend) === undefined) return undefined;
      return copy;
    },
    write: (line) => tryAppend(Buffer.from(line)),
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

/** Identifies a file by inode and birth time, since inodes are reused; not every file system has the latter. */
function nameOf(fd: number): string | undefined {
  const { ino, birthtimeNs } = fstatSync(fd, { bigint: true });
  return birthtimeNs === 0n ? undefined : sha256(`${ino} ${birthtimeNs}`).slice(0, 16);
}
