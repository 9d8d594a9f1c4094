import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "../../engine/ports/clock.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import type { JsonObject } from "../../kit/json.ts";
import type { ViewComparison } from "../../workflow/reconcile.ts";
import { sessionFileText } from "../../workflow/session-view.ts";
import { parseObject } from "../projections/json-text.ts";
import { type Identity, identityAt, isSameFile, replaceFile } from "./atomic-file.ts";
import type { JournalTotals } from "./journal-totals.ts";
import { keepAside } from "./keep-aside.ts";
import { openLastWritten } from "./last-written.ts";
import { readPlain } from "./plain-file.ts";
import type { ViewRecords } from "./records.ts";
import { makeFolder } from "./safe-folder.ts";
import type { SessionPaths } from "./stream-paths.ts";
import type { FreshFiles } from "./temp-files.ts";

/** The file that shows a session to readers; it decides nothing. */
export type SessionView = {
  /** Compares the file with the history. */
  look(): ViewComparison;
  /** Publishes the session; keeps foreign content aside first. Returns warnings. */
  publish(): readonly string[];
};

/** The dependencies of a session file. */
export type SessionFileParts = {
  readonly records: ViewRecords<JournalTotals>;
  readonly fresh: FreshFiles;
  readonly clock: Clock;
};

/** Opens the file of one session; writes nothing before there is something to show. */
export function openSessionView(
  id: string,
  { file, kept, shown: mark }: SessionPaths,
  { records, fresh, clock }: SessionFileParts,
): SessionView {
  let shown: { readonly identity: Identity; readonly head: string } | undefined;
  const marked = openLastWritten(mark);

  function show(): readonly string[] {
    const { chain, stream } = records.ledger();
    const { head } = chain;
    const text = sessionFileText(id, stream);
    if (text === undefined) return [];
    const identity = unlessIoError(() => write(text));
    shown = identity && { identity, head };
    if (identity === undefined)
      return [`.waymark/sessions/${id}.json could not be written; Waymark will retry. The session itself is recorded.`];
    marked.set(identity);
    records.catchUp();
    return records.ledger().chain.head === head ? [] : show();
  }

  function write(text: string): Identity {
    // Only the first one is synced: a missing or stale file is written again.
    const placing = { durable: shown === undefined };
    if (placing.durable) makeFolder(dirname(file));
    const identity = replaceFile(file, [Buffer.from(text)], dirname(file), placing, fresh.take());
    setImmediate(() => fresh.prepare(nothing));
    return identity;
  }

  /** Compares until nothing was recorded in between: a file newer than our knowledge is no edit. */
  function look(): ViewComparison {
    for (;;) {
      const { chain, stream } = records.ledger();
      const { head } = chain;
      const found = unlessIoError(() => ({ identity: identityAt(file) }));
      const identity = found?.identity;
      if (identity !== undefined && shown?.head === head && isSameFile(identity, shown.identity))
        return { kind: "current" };
      const text = sessionFileText(id, stream);
      if (text === undefined) return { kind: "current" };
      if (identity === undefined) return { kind: found === undefined || !shown ? "behind" : "deleted" };
      const onDisk = unlessIoError(() => readPlain(file).toString("utf8"));
      if (onDisk === text) {
        shown = { identity, head };
        marked.set(identity);
        return { kind: "current" };
      }
      records.catchUp();
      if (records.ledger().chain.head !== head) continue;
      // An untouched file of ours shows another history: another git branch, or an older copy.
      return onDisk === undefined || marked.is(identity) ? { kind: "behind" } : judge(onDisk);
    }
  }

  function judge(onDisk: string): ViewComparison {
    if (onDisk === "") return { kind: "behind" };
    const value = parseObject(onDisk);
    if (value === undefined) return { kind: "malformed", reason: "it is not a JSON object" };
    return isOurs(value) ? { kind: "behind" } : { kind: "foreign", file: { completed: [] } };
  }

  /** Tells if a file shows any point of the history or of a merged fork. */
  function isOurs(value: JsonObject): boolean {
    let isKnown = false;
    const compare = ({ stream }: JournalTotals): void => {
      isKnown ||= isDeepStrictEqual(value, parseObject(sessionFileText(id, stream) ?? ""));
    };
    records.recount(compare);
    if (!isKnown) records.otherSides.recount(compare);
    return isKnown;
  }

  /** Tells if our last file is still there, or nothing is. */
  function isUntouched(): boolean {
    const identity = unlessIoError(() => identityAt(file));
    return identity === undefined || (shown !== undefined && isSameFile(identity, shown.identity));
  }

  return {
    look,
    publish() {
      if (isUntouched() && shown?.head !== records.ledger().chain.head) return show();
      const { kind } = look();
      if (kind === "current") return [];
      if (kind === "malformed" || kind === "foreign") unlessIoError(() => keepAside(file, kept, clock()));
      return show();
    },
  };
}

const nothing = { era: { name: "session" }, stable: Buffer.alloc(0), ending: Buffer.alloc(0) };
