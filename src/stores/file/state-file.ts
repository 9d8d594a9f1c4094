import { rmSync } from "node:fs";
import type { Clock } from "../../engine/ports/clock.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { ViewComparison } from "../../workflow/reconcile.ts";
import type { FilePieces } from "../projections/file-pieces.ts";
import { type Identity, identityAt, isSameFile, removeFile } from "./atomic-file.ts";
import {
  compareAbsence,
  compareFile,
  type ExpectedState,
  isPublicationAt,
  type StateVerdict,
} from "./compare-state.ts";
import { openFileReplacer } from "./file-replacer.ts";
import type { BotTotals } from "./journal-totals.ts";
import { keepAside } from "./keep-aside.ts";
import { openLastWritten } from "./last-written.ts";
import { readPlain } from "./plain-file.ts";
import { openPublishedMarker } from "./published-marker.ts";
import type { ViewRecords } from "./records.ts";
import type { BotPaths } from "./stream-paths.ts";
import { type MachineState, openMachineState } from "./trust/machine-state.ts";

/** `workflow_state.json`: comparing it with the history, and publishing it. */
export type StateFile = {
  /** Compares the file with the history. */
  look(): ViewComparison;
  /** Reports, once, that the file showed another history. */
  takeNotices(): readonly string[];
  /** The SHA-256 of the file at the last look, or `absent`, for the next record to answer; undefined if the file is ours. */
  saw(): string | undefined;
  /** Tells if a publication is due: the first one, or after a failure. */
  isOwed(): boolean;
  /** Tells if another history was published here before. */
  isOfAnother(): boolean;
  /** A person accepted that the other one is gone. */
  forgetAnother(): void;
  /** Publishes the file unless it was changed since the last look; false on failure. */
  publish(): boolean;
  /** Publishes, and removes a file that should not exist. */
  repair(): boolean;
  close(): void;
};

type StateOnDisk =
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable" }
  /** Recognized without reading: the last one we wrote or found to be ours. */
  | { readonly kind: "ours"; readonly identity: Identity }
  | { readonly kind: "read"; readonly identity: Identity; readonly bytes: Buffer };

type ExaminedState = StateVerdict & { readonly onDisk: StateOnDisk };

/** Ours, but of no point of this history. */
const ofAnotherHistory: StateVerdict = { found: { kind: "behind" }, isOurs: false };

const current = { found: { kind: "current" }, isOurs: true } as const;

/** Opens the state file of one stream. */
export function openStateFile(
  places: BotPaths,
  records: ViewRecords<BotTotals>,
  clock: Clock,
  machine: MachineState | undefined = openMachineState(),
): StateFile {
  const placer = openFileReplacer(places.state, places.tmp);
  const marker = openPublishedMarker(places, machine);
  const shown = openLastWritten(places.shown.state);
  let ours: { readonly identity: Identity; readonly stamp: string; readonly journal: string | null } | undefined;
  let stamped: { readonly head: string; readonly stamp: string } | undefined;
  let looked: ExaminedState | undefined;
  let kept: Identity | undefined;
  let hasFailed = false;
  let notices: readonly string[] = [];

  const isPublished = (): boolean => marker.isSet(records.ledger());

  function readOnDisk(): StateOnDisk {
    const status = unlessIoError((): StateOnDisk => {
      const identity = identityAt(places.state);
      if (identity === undefined) return { kind: "absent" };
      const isKnown = ours?.journal === records.ledger().chain.first && isSameFile(identity, ours.identity);
      return isKnown ? { kind: "ours", identity } : { kind: "read", identity, bytes: readPlain(places.state) };
    });
    return status ?? { kind: "unreadable" };
  }

  function stampNow(): string {
    const { chain, state, stream } = records.ledger();
    if (stamped?.head !== chain.head) stamped = { head: chain.head, stamp: state.stamp(stream) };
    return stamped.stamp;
  }

  function claim(identity: Identity): void {
    ours = { identity, stamp: stampNow(), journal: records.ledger().chain.first };
    shown.set(identity);
  }

  const isUpToDate = (): boolean => ours?.stamp === stampNow();

  function judge(status: StateOnDisk): StateVerdict {
    // An unreadable file cannot be obeyed; publishing will report that it cannot be written either.
    if (status.kind === "unreadable") return current;
    if (status.kind === "ours") return isUpToDate() ? current : { found: { kind: "behind" }, isOurs: true };
    const answered = records.heldAnswer();
    // It was answered by a held record, so the file cannot be repaired yet.
    if (answered !== undefined && answered === digestOf(status)) return { ...current, isOurs: false };
    if (status.kind === "absent") return compareAbsence(expectation());
    const verdict = compareFile(status.bytes, expectation());
    if (verdict.found.kind === "current") claim(status.identity);
    if (verdict.found.kind !== "foreign" || !shown.is(status.identity)) return verdict;
    return ofAnotherHistory;
  }

  function expectation(): ExpectedState {
    const { state, stream, saw } = records.ledger();
    return {
      isRecorded: records.seen() > 0,
      pieces: state.pieces(stream),
      answered: saw,
      wasPublished: isPublished,
      isEarlier: (file) => {
        let isEarlier = false;
        const compare = (then: BotTotals): void => {
          isEarlier ||= isPublicationAt(file, then);
        };
        records.recount(compare);
        if (!isEarlier) records.otherSides.recount(compare);
        return isEarlier;
      },
    };
  }

  /** Looks until nothing was recorded in between: a file newer than our knowledge is no edit. */
  function examine(): ExaminedState {
    for (;;) {
      const status = readOnDisk();
      const before = records.ledger().chain.head;
      const verdict = judge(status);
      if (verdict.found.kind !== "current") records.catchUp();
      if (records.ledger().chain.head !== before) continue;
      if (verdict === ofAnotherHistory) notices = [showedAnother];
      return { onDisk: status, ...verdict };
    }
  }

  function put(over: ExaminedState, pieces: FilePieces | undefined): void {
    const { onDisk: status } = over;
    if (status.kind === "read" && !over.isOurs && !(kept !== undefined && isSameFile(status.identity, kept))) {
      keepAside(places.state, places.kept, clock());
      kept = status.identity;
    }
    if (pieces === undefined) {
      rmSync(places.state, { force: true });
      looked = { onDisk: { kind: "absent" }, ...current };
      return;
    }
    const isFirst = !isPublished();
    const identity = placer.replace(pieces, { durable: isFirst });
    claim(identity);
    looked = { onDisk: { kind: "ours", identity }, ...current };
    if (isFirst) unlessIoError(() => marker.set(records.ledger()));
  }

  function publish(removes: boolean): boolean {
    const done = unlessIoError(() => {
      const status = readOnDisk();
      const isSeen = looked !== undefined && isUnchanged(status, looked.onDisk);
      const over = isSeen && looked !== undefined ? looked : examine();
      const { kind } = over.found;
      // An edit since the last look is left for the next look; a file we failed to write was not deleted.
      if (!isSeen && (kind === "foreign" || (kind === "deleted" && !hasFailed))) return true;
      const { state, stream } = records.ledger();
      const pieces = state.pieces(stream);
      const isThere = kind === "current" && "identity" in over.onDisk && over.isOurs && isUpToDate() && isPublished();
      if (!isThere && (pieces !== undefined || removes)) put(over, pieces);
      return true;
    });
    hasFailed = done === undefined;
    return !hasFailed;
  }

  return {
    look() {
      looked = examine();
      return looked.found;
    },
    takeNotices() {
      const taken = notices;
      notices = [];
      return taken;
    },
    saw: () => {
      if (looked === undefined || (looked.isOurs && "identity" in looked.onDisk)) return undefined;
      return digestOf(looked.onDisk);
    },
    isOwed: () => hasFailed || (records.ledger().stream.focus !== null && !isPublished()),
    isOfAnother() {
      if (!marker.isOfAnother(records.ledger().chain)) return false;
      records.catchUp(); // another process may have started it since
      return marker.isOfAnother(records.ledger().chain);
    },
    forgetAnother() {
      if (marker.isOfAnother(records.ledger().chain)) removeFile(places.marker);
    },
    publish: () => publish(false),
    repair: () => publish(true),
    close: placer.close,
  };
}

const showedAnother =
  "workflow_state.json showed another history: another git branch, or an older copy. It now shows this one; the previous version is under .waymark/kept/.";

function isUnchanged(now: StateOnDisk, before: StateOnDisk): boolean {
  if ("identity" in now && "identity" in before) return isSameFile(now.identity, before.identity);
  return now.kind === before.kind;
}

/** The hash a record answers; an unreadable file is not ours either, and without one ours is still to be published. */
function digestOf(status: StateOnDisk): string | undefined {
  if (status.kind === "read") return sha256(status.bytes);
  return status.kind === "ours" ? undefined : "absent";
}
