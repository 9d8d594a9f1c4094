import { readFileSync, rmSync } from "node:fs";
import type { Clock } from "../../engine/ports.ts";
import type { Found } from "../../workflow/reconcile.ts";
import { compareAbsence, compareText, type Expectation, isPublicationAt, type Verdict } from "./compare.ts";
import { type Identity, identify, isSame, replaceFile } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { keepAside } from "./kept.ts";
import { openMarker } from "./marker.ts";
import type { Places } from "./places.ts";
import { sha256 } from "./record.ts";
import type { Records } from "./records.ts";

/** `workflow_state.json`: what stands there, and putting there what the history says. */
export type StateFile = {
  /** Compares what stands there with the history. */
  look(): Found;
  /** What the next record answers: the SHA-256 of the file that the last look saw, or `absent`; undefined where the file is ours. */
  saw(): string | undefined;
  /** Whether a publication is due: the first one, or one that failed. */
  isOwed(): boolean;
  /** Publishes the file, unless somebody has written there since the last look; false where that failed. */
  publish(): boolean;
  /** The same, and removes a file that should not be there. */
  repair(): boolean;
};

type Standing =
  | { readonly kind: "absent" | "unreadable" }
  | { readonly kind: "file"; readonly identity: Identity; readonly text: string };

/** The last file known to be ours, and the point of which history it shows: it need not be read again. */
type OurFile = {
  readonly identity: Identity;
  readonly text: string;
  readonly head: string;
  readonly journal: string | null;
};

type Looked = Verdict & { readonly standing: Standing };

/** Opens the state file of one desk. */
export function openStateFile(places: Places, records: Records, clock: Clock): StateFile {
  const marker = openMarker(places);
  let ours: OurFile | undefined;
  let looked: Looked | undefined;
  let kept: Identity | undefined;
  let hasFailed = false;

  const head = (): string => records.ledger().chain.head;
  const journal = (): string | null => records.ledger().chain.first;
  const expectedText = (): string | undefined => {
    const { state, desk } = records.ledger();
    return state.text(desk);
  };
  const isPublished = (): boolean => marker.isSet(records.ledger());

  function stand(): Standing {
    const standing = unlessFault((): Standing => {
      const identity = identify(places.state);
      if (identity === undefined) return { kind: "absent" };
      const text = isKnown(identity) ? ours?.text : undefined;
      return { kind: "file", identity, text: text ?? readFileSync(places.state, "utf8") };
    });
    return standing ?? { kind: "unreadable" };
  }

  function isKnown(identity: Identity): boolean {
    return ours !== undefined && isSame(identity, ours.identity);
  }

  function judge(standing: Standing): Verdict {
    // What cannot be read cannot be obeyed; publishing will say that it cannot be written either.
    if (standing.kind === "unreadable") return { found: { kind: "current" }, isOurs: true };
    const isFile = standing.kind === "file";
    if (isFile && isKnown(standing.identity) && ours?.head === head())
      return { found: { kind: "current" }, isOurs: true };
    const held = records.heldSaw();
    // Answered, and the answer waits in memory: there is nothing to repair the file with yet.
    if (held !== undefined && held === digestOf(standing)) return { found: { kind: "current" }, isOurs: false };
    const verdict = isFile ? compareText(standing.text, expectation(standing)) : compareAbsence(expectation(standing));
    if (isFile && verdict.found.kind === "current") ours = { ...standing, head: head(), journal: journal() };
    return verdict;
  }

  function expectation(standing: Standing): Expectation {
    const ledger = records.ledger();
    return {
      isRecorded: records.seen() > 0,
      text: expectedText(),
      answered: ledger.saw,
      wasPublished: isPublished,
      isEarlier: (file) => {
        if (standing.kind === "file" && isKnown(standing.identity) && ours?.journal === journal()) return true;
        let isEarlier = false;
        records.recount((_, then) => {
          isEarlier ||= isPublicationAt(file, then);
        });
        return isEarlier;
      },
    };
  }

  /** Looks until nobody has recorded anything in between: a file newer than our knowledge is no edit. */
  function examine(): Looked {
    for (;;) {
      const standing = stand();
      const before = head();
      const verdict = judge(standing);
      if (verdict.found.kind !== "current") records.catchUp();
      if (head() === before) return { standing, ...verdict };
    }
  }

  function put(over: Looked, text: string | undefined): void {
    const { standing } = over;
    if (standing.kind === "file" && !over.isOurs && !(kept !== undefined && isSame(standing.identity, kept))) {
      keepAside(places.state, places.kept, clock());
      kept = standing.identity;
    }
    if (text === undefined) {
      rmSync(places.state, { force: true });
      looked = { standing: { kind: "absent" }, found: { kind: "current" }, isOurs: true };
      return;
    }
    const isFirst = !isPublished();
    ours = {
      identity: replaceFile(places.state, text, places.tmp, { durable: isFirst }),
      text,
      head: head(),
      journal: journal(),
    };
    looked = { standing: { kind: "file", ...ours }, found: { kind: "current" }, isOurs: true };
    if (isFirst) unlessFault(() => marker.set(records.ledger()));
  }

  function publish(removes: boolean): boolean {
    const done = unlessFault(() => {
      const standing = stand();
      const isSeen = looked !== undefined && isUnchanged(standing, looked.standing);
      const over = isSeen && looked !== undefined ? looked : examine();
      const { kind } = over.found;
      // For the next look to find and obey; but where our own file is owed, its absence is no deletion.
      if (!isSeen && (kind === "foreign" || (kind === "deleted" && !hasFailed))) return true;
      const text = expectedText();
      const isThere = over.standing.kind === "file" && over.standing.text === text && isPublished();
      if (!isThere && (text !== undefined || removes)) put(over, text);
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
    saw: () => {
      if (looked === undefined || (looked.isOurs && looked.standing.kind === "file")) return undefined;
      return digestOf(looked.standing);
    },
    isOwed: () => hasFailed || (records.ledger().desk.focus !== null && !isPublished()),
    publish: () => publish(false),
    repair: () => publish(true),
  };
}

function isUnchanged(now: Standing, before: Standing): boolean {
  if (now.kind !== "file" || before.kind !== "file") return now.kind === before.kind;
  return isSame(now.identity, before.identity);
}

function digestOf(standing: Standing): string | undefined {
  if (standing.kind === "file") return sha256(standing.text);
  return standing.kind === "absent" ? "absent" : undefined;
}
