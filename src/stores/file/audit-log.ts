import { closeSync, constants, fstatSync } from "node:fs";
import { relative } from "node:path";
import type { AuditedLog, DeskId } from "../../engine/ports.ts";
import type { JournalRecord } from "../chain/record.ts";
import { type VerifiedLines, verifyLines } from "../chain/verify-lines.ts";
import { faultCode } from "./faults.ts";
import { readLines } from "./lines.ts";
import { readMarker } from "./marker.ts";
import { journalOf, placesOf } from "./places.ts";
import { openPlain } from "./plain-file.ts";
import { InTheWay } from "./way.ts";

/** Reads the journal of a desk from its first byte to its last; writes nothing. `hear` is told of every record that counts. */
export function auditLog(area: string, id: DeskId, hear?: (record: JournalRecord) => void): AuditedLog {
  const journal = journalOf(area, id);
  const { missing, unfinished, ...verified } = readJournal(journal, hear);
  return {
    ...verified,
    unfinished,
    place: relative(area, journal),
    doubts: id.kind === "bot" && missing === undefined ? earlierHistories(area, id, verified) : [],
    ...(missing === undefined ? {} : { missing }),
  };
}

type ReadJournal = VerifiedLines & { readonly unfinished: number; readonly missing?: string };

function readJournal(file: string, hear: ((record: JournalRecord) => void) | undefined): ReadJournal {
  try {
    return withFile(file, (fd, size) => {
      let end = 0;
      const verified = verifyLines((line) => {
        end = readLines(fd, 0, size, line);
      }, hear);
      return { ...verified, unfinished: size - end, ...(size === 0 ? { missing: gone } : {}) };
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

const gone = "its history is gone";

/** A history that was published here and is no part of what stands there now. */
function earlierHistories(area: string, id: DeskId, { lines, hashes, first }: VerifiedLines): readonly string[] {
  const others = readMarker(placesOf(area, id).marker).filter(({ journal }) => journal !== first);
  if (others.length === 0) return [];
  const standing = new Set(hashes.values());
  for (const { kind, hash } of lines) if (kind === "aside") standing.add(hash);
  return others.flatMap(({ journal, seq }) =>
    standing.has(journal) ? [] : [`an earlier history, of at least ${seq} record(s), is gone`],
  );
}
