import { relative } from "node:path";
import type { AuditedLog } from "../../engine/ports/event-log.ts";
import type { ViewVerdict } from "../../engine/ports/views.ts";
import { ioErrorCode } from "../../kit/io-errors.ts";
import { sessionFileText } from "../../workflow/session-view.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import type { JournalRecord } from "../chain/journal-record.ts";
import { logSpelling } from "../projections/activity-log.ts";
import { isEqualToPieces } from "../projections/file-pieces.ts";
import { stateProjection } from "../projections/workflow-state.ts";
import { type AuditListeners, auditJournal } from "./audit-journal.ts";
import { type AuditedView, auditViews } from "./audit-views.ts";
import { openFileComparison } from "./file-comparison.ts";
import { readPlain } from "./plain-file.ts";
import { botPaths, sessionPaths } from "./stream-paths.ts";

/** The audit of a stream: its journal and its projected files. */
export type StreamAudit = { readonly log: AuditedLog; readonly views: readonly AuditedView[] };

/** Reads a stream's journal once and compares its files on the way; writes nothing and keeps little in memory. */
export function auditStream(area: string, id: StreamId, ears: Omit<AuditListeners, "hear"> = {}): StreamAudit {
  // Look at the files first: one that is published meanwhile is no edit.
  const looks = id.kind === "bot" ? [lookAtState(area, id), lookAtLog(area, id)] : [lookAtSession(area, id.name)];
  try {
    const hear = (record: JournalRecord): void => {
      for (const look of looks) look.hear(record);
    };
    const log = auditJournal(area, id, { ...ears, hear });
    const quick = looks.map(({ view, verdict }) => ({ view, verdict: verdict(log.stream) }));
    const isSure = quick.every((one): one is AuditedView => one.verdict !== undefined);
    return { log, views: isSure ? quick : auditViews(area, id) };
  } finally {
    for (const { close } of looks) close?.();
  }
}

/** One file compared while the history is read; `verdict` is undefined if it needs a closer look. */
type ViewComparison = {
  readonly view: string;
  hear(record: JournalRecord): void;
  verdict(stream: StreamSnapshot): ViewVerdict | undefined;
  close?(): void;
};

function lookAtState(area: string, id: StreamId): ViewComparison {
  const { state: path } = botPaths(area, id);
  const found = readOrVerdict(() => readPlain(path));
  const state = stateProjection(id.name);
  return {
    view: relative(area, path),
    hear: ({ events }) => events.forEach(state.add),
    verdict(stream) {
      const pieces = state.pieces(stream);
      if ("verdict" in found) return absent(found.verdict, pieces === undefined);
      return pieces !== undefined && isEqualToPieces(found.read, pieces) ? "current" : undefined;
    },
  };
}

function lookAtLog(area: string, id: StreamId): ViewComparison {
  const { log: path } = botPaths(area, id);
  const found = readOrVerdict(() => openFileComparison(path));
  const spelling = logSpelling(id.name);
  let isPlain = true;
  let isFaulty = false;
  return {
    view: relative(area, path),
    hear({ events }) {
      for (const event of events) {
        const text = spelling.spell(event);
        isPlain &&= text !== undefined;
        if ("verdict" in found || text === undefined || isFaulty) continue;
        isFaulty = "verdict" in readOrVerdict(() => found.read.expect(text));
      }
    },
    verdict() {
      const ending = spelling.end();
      if ("verdict" in found) return absent(found.verdict, ending === "");
      if (!isPlain || isFaulty || ending === "") return undefined;
      const ended = readOrVerdict(() => found.read.end(ending));
      if ("verdict" in ended || ended.read === "other") return undefined;
      return ended.read === "whole" ? "current" : "behind";
    },
    close() {
      if ("read" in found) found.read.close();
    },
  };
}

function lookAtSession(area: string, id: string): ViewComparison {
  const { file: path } = sessionPaths(area, id);
  const found = readOrVerdict(() => readPlain(path).toString("utf8"));
  return {
    view: relative(area, path),
    hear: () => {},
    verdict(stream) {
      const expected = sessionFileText(id, stream);
      if ("verdict" in found) return absent(found.verdict, expected === undefined);
      return found.read === expected ? "current" : undefined;
    },
  };
}

function absent(verdict: "missing" | "unreadable", isAbsenceExpected: boolean): ViewVerdict {
  return verdict === "missing" && isAbsenceExpected ? "current" : verdict;
}

function readOrVerdict<T>(read: () => T): { readonly read: T } | { readonly verdict: "missing" | "unreadable" } {
  try {
    return { read: read() };
  } catch (error) {
    const code = ioErrorCode(error);
    if (code === undefined) throw error;
    return { verdict: code === "ENOENT" ? "missing" : "unreadable" };
  }
}
