import { rmSync } from "node:fs";
import type { Clock } from "../../engine/ports.ts";
import { sha256 } from "../../evidence/sha256.ts";
import type { Found } from "../../workflow/reconcile.ts";
import type { Pieces } from "../projections/pieces.ts";
import { compareAbsence, compareFile, type Expectation, isPublicationAt, type Verdict } from "./compare.ts";
import { type Identity, identify, isSame, removeFile } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { keepAside } from "./kept.ts";
import type { Ledger } from "./ledger.ts";
import { openMarker } from "./marker.ts";
import { openPlacer } from "./placer.ts";
import type { Places } from "./places.ts";
import { readPlain } from "./plain-file.ts";
import type { Recorded } from "./records.ts";
import { openShown } from "./shown.ts";

/** `workflow_state.json`: what stands there, and putting there what the history says. */
export type StateFile = {
  /** Compares what stands there with the history. */
  look(): Found;
  /** Says, once, that the file showed another history than the one that stands here. */
  takeNotices(): readonly string[];
  /** What the next record answers: the SHA-256 of the file that the last look saw, or `absent`; undefined where the file is ours. */
  saw(): string | undefined;
  /** Whether a publication is due: the first one, or one that failed. */
  isOwed(): boolean;
  /** Whether another history than this one was published here before. */
  isOfAnother(): boolean;
  /** A person has accepted that the other one is gone. */
  forgetAnother(): void;
  /** Publishes the file, unless somebody has written there since the last look; false where that failed. */
  publish(): boolean;
  /** The same, and removes a file that should not be there. */
  repair(): boolean;
  close(): void;
};

type Standing =
  | { readonly kind: "absent" }
  | { readonly kind: "unreadable" }
  /** Known without reading it: the last one that we wrote, or found to be ours. */
  | { readonly kind: "ours"; readonly identity: Identity }
  | { readonly kind: "read"; readonly identity: Identity; readonly bytes: Buffer };

type Looked = Verdict & { readonly standing: Standing };

/** Ours, and of no point of this history. */
const ofAnotherHistory: Verdict = { found: { kind: "behind" }, isOurs: false };

const current = { found: { kind: "current" }, isOurs: true } as const;

/** Opens the state file of one desk. */
export function openStateFile(places: Places, records: Recorded<Ledger>, clock: Clock): StateFile {
  const placer = openPlacer(places.state, places.tmp);
  const marker = openMarker(places);
  const shown = openShown(places.shown.state);
  let ours: { readonly identity: Identity; readonly stamp: string; readonly journal: string | null } | undefined;
  let stamped: { readonly head: string; readonly stamp: string } | undefined;
  let looked: Looked | undefined;
  let kept: Identity | undefined;
  let hasFailed = false;
  let notices: readonly string[] = [];

  const isPublished = (): boolean => marker.isSet(records.ledger());

  function stand(): Standing {
    const standing = unlessFault((): Standing => {
      const identity = identify(places.state);
      if (identity === undefined) return { kind: "absent" };
      const isKnown = ours?.journal === records.ledger().chain.first && isSame(identity, ours.identity);
      return isKnown ? { kind: "ours", identity } : { kind: "read", identity, bytes: readPlain(places.state) };
    });
    return standing ?? { kind: "unreadable" };
  }

  function stampNow(): string {
    const { chain, state, desk } = records.ledger();
    if (stamped?.head !== chain.head) stamped = { head: chain.head, stamp: state.stamp(desk) };
    return stamped.stamp;
  }

  function claim(identity: Identity): void {
    ours = { identity, stamp: stampNow(), journal: records.ledger().chain.first };
    shown.set(identity);
  }

  const isUpToDate = (): boolean => ours?.stamp === stampNow();

  function judge(standing: Standing): Verdict {
    // What cannot be read cannot be obeyed; publishing will say that it cannot be written either.
    if (standing.kind === "unreadable") return current;
    if (standing.kind === "ours") return isUpToDate() ? current : { found: { kind: "behind" }, isOurs: true };
    const answered = records.heldSaw();
    // Answered, and the answer waits in memory: there is nothing to repair the file with yet.
    if (answered !== undefined && answered === digestOf(standing)) return { ...current, isOurs: false };
    if (standing.kind === "absent") return compareAbsence(expectation());
    const verdict = compareFile(standing.bytes, expectation());
    if (verdict.found.kind === "current") claim(standing.identity);
    if (verdict.found.kind !== "foreign" || !shown.is(standing.identity)) return verdict;
    return ofAnotherHistory;
  }

  function expectation(): Expectation {
    const { state, desk, saw } = records.ledger();
    return {
      isRecorded: records.seen() > 0,
      pieces: state.pieces(desk),
      answered: saw,
      wasPublished: isPublished,
      isEarlier: (file) => {
        let isEarlier = false;
        const compare = (then: Ledger): void => {
          isEarlier ||= isPublicationAt(file, then);
        };
        records.recount(compare);
        if (!isEarlier) records.otherSides.recount(compare);
        return isEarlier;
      },
    };
  }

  /** Looks until nobody has recorded anything in between: a file newer than our knowledge is no edit. */
  function examine(): Looked {
    for (;;) {
      const standing = stand();
      const before = records.ledger().chain.head;
      const verdict = judge(standing);
      if (verdict.found.kind !== "current") records.catchUp();
      if (records.ledger().chain.head !== before) continue;
      if (verdict === ofAnotherHistory) notices = [showedAnother];
      return { standing, ...verdict };
    }
  }

  function put(over: Looked, pieces: Pieces | undefined): void {
    const { standing } = over;
    if (standing.kind === "read" && !over.isOurs && !(kept !== undefined && isSame(standing.identity, kept))) {
      keepAside(places.state, places.kept, clock());
      kept = standing.identity;
    }
    if (pieces === undefined) {
      rmSync(places.state, { force: true });
      looked = { standing: { kind: "absent" }, ...current };
      return;
    }
    const isFirst = !isPublished();
    const identity = placer.replace(pieces, { durable: isFirst });
    claim(identity);
    looked = { standing: { kind: "ours", identity }, ...current };
    if (isFirst) unlessFault(() => marker.set(records.ledger()));
  }

  function publish(removes: boolean): boolean {
    const done = unlessFault(() => {
      const standing = stand();
      const isSeen = looked !== undefined && isUnchanged(standing, looked.standing);
      const over = isSeen && looked !== undefined ? looked : examine();
      const { kind } = over.found;
      // An edit since the last look is for the next one to find and obey; what we failed to write was not deleted.
      if (!isSeen && (kind === "foreign" || (kind === "deleted" && !hasFailed))) return true;
      const { state, desk } = records.ledger();
      const pieces = state.pieces(desk);
      const isThere = kind === "current" && "identity" in over.standing && over.isOurs && isUpToDate() && isPublished();
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
      if (looked === undefined || (looked.isOurs && "identity" in looked.standing)) return undefined;
      return digestOf(looked.standing);
    },
    isOwed: () => hasFailed || (records.ledger().desk.focus !== null && !isPublished()),
    isOfAnother() {
      if (!marker.isOfAnother(records.ledger().chain)) return false;
      records.catchUp(); // somebody else may have begun it since we looked
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
  "workflow_state.json showed another history than the one that stands here: another git branch, or an older copy of it. It shows this one now, and what stood there is kept under .waymark/kept/.";

function isUnchanged(now: Standing, before: Standing): boolean {
  if ("identity" in now && "identity" in before) return isSame(now.identity, before.identity);
  return now.kind === before.kind;
}

/** Names what a record answers. What cannot be read is no file of ours either: without it, ours is yet to be published. */
function digestOf(standing: Standing): string | undefined {
  if (standing.kind === "read") return sha256(standing.bytes);
  return standing.kind === "ours" ? undefined : "absent";
}
