import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { relative } from "node:path";
import type { AuditedLog } from "../../engine/ports/event-log.ts";
import { countText } from "../../kit/count-text.ts";
import { defined } from "../../kit/defined.ts";
import { ioErrorCode } from "../../kit/io-errors.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { JournalRecord } from "../chain/journal-record.ts";
import type { LineSource } from "../chain/line-source.ts";
import { type Trusts, type VerifiedLines, verifyLines } from "../chain/verify-lines.ts";
import { copyName, originOf } from "./history-origin.ts";
import { openPlain } from "./plain-file.ts";
import { readMarker } from "./published-marker.ts";
import { byteOrderMarkLength, type OnRead, readLines } from "./read-lines.ts";
import { UnsafePathError } from "./safe-folder.ts";
import { streamPaths } from "./stream-paths.ts";
import { type MachineState, openMachineState } from "./trust/machine-state.ts";

/** Reads a stream's whole journal and writes nothing; passes every record that counts to `hear`. */
export function auditJournal(area: string, id: StreamId, ears: AuditListeners = {}): AuditedLog {
  const journal = streamPaths(area, id).journal;
  let begunAs: string | undefined;
  const hear = (record: JournalRecord): void => {
    if (record.seq === 1) begunAs = originOf(id, record);
    ears.hear?.(record);
  };
  const { missing, unfinished, ...verified } = readJournal(journal, { ...ears, hear });
  return {
    ...verified,
    unfinished,
    place: relative(area, journal),
    doubts: [],
    disputes:
      missing === undefined || missing === historyGone
        ? [
            ...earlierHistories(area, id, verified, ears.machine ?? openMachineState()),
            ...foreignHistory(id, begunAs, verified),
            ...(missing === historyGone ? [{ text: historyGone }] : []),
          ]
        : [],
    ...defined({ missing, begunAs }),
  };
}

/** The listeners for records and progress, and the acceptances that are trusted. */
export type AuditListeners = {
  readonly hear?: (record: JournalRecord) => void;
  readonly onRead?: OnRead | undefined;
  readonly trusts?: Trusts;
  readonly machine?: MachineState | undefined;
};

type ReadJournal = VerifiedLines & Pick<AuditedLog, "unfinished" | "missing" | "notes">;

/** Reads the journal at a path from its first line, and says why if it cannot. */
export function readJournal(file: string, { hear, onRead, trusts }: AuditListeners): ReadJournal {
  try {
    return withFile(file, (fd, size) => {
      let end = 0;
      const source: LineSource = (line) => {
        end = readLines(fd, 0, size, line, onRead);
      };
      const verified = verifyLines(source, hear, trusts);
      const notes = startsWithMark(fd) ? ["It begins with a byte order mark, which is ignored."] : [];
      return { ...verified, unfinished: size - end, notes, ...(size === 0 ? { missing: historyGone } : {}) };
    });
  } catch (error) {
    const code = ioErrorCode(error);
    if (code === undefined) throw error;
    return {
      ...verifyLines(() => {}),
      unfinished: 0,
      missing:
        code === "ENOENT"
          ? historyGone
          : `its history cannot be read (${error instanceof UnsafePathError ? error.message : code})`,
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
  return byteOrderMarkLength(bytes) > 0;
}

/** The message for a missing history. */
export const historyGone = "its history is gone";

/** Detects a history that began as another run, bot or session and was copied or moved here. */
function foreignHistory(
  id: StreamId,
  begunAs: string | undefined,
  { first, accepted }: VerifiedLines,
): NonNullable<AuditedLog["disputes"]> {
  if (begunAs === undefined) return [];
  const hash = copyName(first, id);
  return accepted.has(hash) ? [] : [{ text: `its history belongs to ${begunAs} and was copied here`, hash }];
}

/** Finds histories that were published here and are not part of the current one. */
function earlierHistories(
  area: string,
  id: StreamId,
  { lines, hashes, first, accepted }: VerifiedLines,
  machine: MachineState,
): NonNullable<AuditedLog["disputes"]> {
  const published = readMarker(streamPaths(area, id), machine);
  const others = published.filter(({ journal }) => journal !== first && !accepted.has(journal));
  if (others.length === 0) return [];
  const status = new Set(hashes.values());
  for (const { kind, hash } of lines) if (kind === "aside" || kind === "accepted") status.add(hash);
  return others.flatMap(({ journal, seq }) =>
    status.has(journal)
      ? []
      : [{ text: `an earlier history of at least ${countText(seq, "record")} is gone`, hash: journal }],
  );
}
