import { relative } from "node:path";
import type { AuditedLog, DeskId, ViewVerdict } from "../../engine/ports.ts";
import type { Desk } from "../../workflow/desk.ts";
import type { JournalRecord } from "../chain/record.ts";
import { logSpelling } from "../projections/activity-log.ts";
import { isSpelledBy } from "../projections/pieces.ts";
import { sessionFileText } from "../projections/session-file.ts";
import { stateProjection } from "../projections/workflow-state.ts";
import { auditLog, type Ears } from "./audit-log.ts";
import { type AuditedView, auditViews } from "./audit-views.ts";
import { faultCode } from "./faults.ts";
import { placesOf, sessionPlaces } from "./places.ts";
import { readPlain } from "./plain-file.ts";
import { openSpelled } from "./spelled-file.ts";

/** What auditing a desk comes to: its journal, and the files that show it. */
export type AuditedDesk = { readonly log: AuditedLog; readonly views: readonly AuditedView[] };

/** Reads a desk's journal once, and holds the files that show it against it on the way; writes nothing, and keeps little in memory. */
export function auditDesk(area: string, id: DeskId, ears: Omit<Ears, "hear"> = {}): AuditedDesk {
  // The files are looked at first: one that is published meanwhile is no edit.
  const looks = id.kind === "bot" ? [lookAtState(area, id), lookAtLog(area, id)] : [lookAtSession(area, id.name)];
  try {
    const hear = (record: JournalRecord): void => {
      for (const look of looks) look.hear(record);
    };
    const log = auditLog(area, id, { ...ears, hear });
    const quick = looks.map(({ view, verdict }) => ({ view, verdict: verdict(log.desk) }));
    const isSure = quick.every((one): one is AuditedView => one.verdict !== undefined);
    return { log, views: isSure ? quick : auditViews(area, id) };
  } finally {
    for (const { close } of looks) close?.();
  }
}

/** One file, held against a history as that is read. `verdict` is undefined where it takes a closer look. */
type Look = {
  readonly view: string;
  hear(record: JournalRecord): void;
  verdict(desk: Desk): ViewVerdict | undefined;
  close?(): void;
};

function lookAtState(area: string, id: DeskId): Look {
  const { state: path } = placesOf(area, id);
  const found = reading(() => readPlain(path));
  const state = stateProjection(id.name);
  return {
    view: relative(area, path),
    hear: ({ events }) => events.forEach(state.add),
    verdict(desk) {
      const pieces = state.pieces(desk);
      if ("verdict" in found) return absent(found.verdict, pieces === undefined);
      return pieces !== undefined && isSpelledBy(found.read, pieces) ? "current" : undefined;
    },
  };
}

function lookAtLog(area: string, id: DeskId): Look {
  const { log: path } = placesOf(area, id);
  const found = reading(() => openSpelled(path));
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
        isFaulty = "verdict" in reading(() => found.read.expect(text));
      }
    },
    verdict() {
      const ending = spelling.end();
      if ("verdict" in found) return absent(found.verdict, ending === "");
      if (!isPlain || isFaulty || ending === "") return undefined;
      const ended = reading(() => found.read.end(ending));
      if ("verdict" in ended || ended.read === "other") return undefined;
      return ended.read === "whole" ? "current" : "behind";
    },
    close() {
      if ("read" in found) found.read.close();
    },
  };
}

function lookAtSession(area: string, id: string): Look {
  const { file: path } = sessionPlaces(area, id);
  const found = reading(() => readPlain(path).toString("utf8"));
  return {
    view: relative(area, path),
    hear: () => {},
    verdict(desk) {
      const expected = sessionFileText(id, desk);
      if ("verdict" in found) return absent(found.verdict, expected === undefined);
      return found.read === expected ? "current" : undefined;
    },
  };
}

function absent(verdict: "missing" | "unreadable", isWanted: boolean): ViewVerdict {
  return verdict === "missing" && isWanted ? "current" : verdict;
}

function reading<T>(read: () => T): { readonly read: T } | { readonly verdict: "missing" | "unreadable" } {
  try {
    return { read: read() };
  } catch (error) {
    const code = faultCode(error);
    if (code === undefined) throw error;
    return { verdict: code === "ENOENT" ? "missing" : "unreadable" };
  }
}
