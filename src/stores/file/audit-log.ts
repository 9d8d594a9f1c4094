import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { relative } from "node:path";
import type { AuditedLog, DeskId } from "../../engine/ports.ts";
import type { JournalRecord } from "../chain/record.ts";
import { type Believes, type LineSource, type VerifiedLines, verifyLines } from "../chain/verify-lines.ts";
import { anotherThan, putHere } from "./begun-as.ts";
import { faultCode } from "./faults.ts";
import { markLength, type OnRead, readLines } from "./lines.ts";
import { readMarker } from "./marker.ts";
import { journalOf, placesOf } from "./places.ts";
import { openPlain } from "./plain-file.ts";
import { InTheWay } from "./way.ts";

/** Reads the journal of a desk from its first byte to its last; writes nothing. `hear` is told of every record that counts. */
export function auditLog(area: string, id: DeskId, ears: Ears = {}): AuditedLog {
  const journal = journalOf(area, id);
  let begunAs: string | undefined;
  const hear = (record: JournalRecord): void => {
    if (record.seq === 1) begunAs = anotherThan(id, record);
    ears.hear?.(record);
  };
  const { missing, unfinished, ...verified } = readJournal(journal, { ...ears, hear });
  return {
    ...verified,
    unfinished,
    place: relative(area, journal),
    doubts: [],
    disputes:
      missing === undefined || missing === gone
        ? [
            ...earlierHistories(area, id, verified),
            ...ofAnother(id, begunAs, verified),
            ...(missing === gone ? [{ text: gone }] : []),
          ]
        : [],
    ...(missing === undefined ? {} : { missing }),
    ...(begunAs === undefined ? {} : { begunAs }),
  };
}

/** Who hears of the records, and of how far the reading has come; and which acceptances are believed. */
export type Ears = {
  readonly hear?: (record: JournalRecord) => void;
  readonly onRead?: OnRead | undefined;
  readonly believes?: Believes;
};

type ReadJournal = VerifiedLines & Pick<AuditedLog, "unfinished" | "missing" | "notes">;

function readJournal(file: string, { hear, onRead, believes }: Ears): ReadJournal {
  try {
    return withFile(file, (fd, size) => {
      let end = 0;
      const source: LineSource = (line) => {
        end = readLines(fd, 0, size, line, onRead);
      };
      const verified = verifyLines(source, hear, believes);
      const notes = startsWithMark(fd) ? ["It begins with a byte order mark, which is read over."] : [];
      return { ...verified, unfinished: size - end, notes, ...(size === 0 ? { missing: gone } : {}) };
    });
  } catch (error) {
    const code = faultCode(error);
    if (code === undefined) throw error;
    return {
      ...verifyLines(() => {}),
      unfinished: 0,
      missing:
        code === "ENOENT" ? gone : `its history cannot be read (${error instanceof InTheWay ? error.message : code})`,
    };
  }
}

function withFile<T>(file: string, read: (fd: number, size: number) => T): T {
  const fd = openPlain(file, constants.O_RDONLY);
  try {
    return read(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}

function startsWithMark(fd: number): boolean {
  const bytes = Buffer.alloc(3);
  readSync(fd, bytes, 0, bytes.length, 0);
  return markLength(bytes) > 0;
}

/** Why nothing can be read of a history that is not there. */
export const gone = "its history is gone";

/** A history that was begun as that of another run, bot or session, and was copied or moved here: what it tells did not happen here. */
function ofAnother(
  id: DeskId,
  begunAs: string | undefined,
  { first, accepted }: VerifiedLines,
): NonNullable<AuditedLog["disputes"]> {
  if (begunAs === undefined) return [];
  const hash = putHere(first, id);
  return accepted.has(hash) ? [] : [{ text: `its history was begun as that of ${begunAs}, and put here`, hash }];
}

/** A history that was published here and is no part of what stands there now. */
function earlierHistories(
  area: string,
  id: DeskId,
  { lines, hashes, first, accepted }: VerifiedLines,
): NonNullable<AuditedLog["disputes"]> {
  const published = id.kind === "bot" ? readMarker(placesOf(area, id).marker) : [];
  const others = published.filter(({ journal }) => journal !== first && !accepted.has(journal));
  if (others.length === 0) return [];
  const standing = new Set(hashes.values());
  for (const { kind, hash } of lines) if (kind === "aside" || kind === "accepted") standing.add(hash);
  return others.flatMap(({ journal, seq }) =>
    standing.has(journal) ? [] : [{ text: `an earlier history, of at least ${seq} record(s), is gone`, hash: journal }],
  );
}
