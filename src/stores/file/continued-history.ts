import { countText } from "../../kit/count-text.ts";
import { unlessIoError } from "../../kit/io-errors.ts";
import { sha256 } from "../../kit/sha256.ts";
import { readJournal } from "./audit-journal.ts";
import { readPlain } from "./plain-file.ts";

/** The hash of every line of a history, counted or not; none if it cannot be read. */
export function lineHashes(file: string): readonly string[] {
  const bytes = unlessIoError(() => readPlain(file)) ?? Buffer.alloc(0);
  const hashes: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    if (end === -1) break;
    hashes.push(sha256(bytes.subarray(at, end)));
    at = end + 1;
  }
  return hashes;
}

/** Finds why a history does not begin with every record of an earlier version of it; undefined if it does. */
export function continuationProblem(before: string, now: string): string | undefined {
  if (isGrown(before, now)) return undefined;
  const [then, found] = [readJournal(before, {}), readJournal(now, {})];
  if (then.seq === 0) return undefined;
  if (found.missing !== undefined) return `${countText(then.seq, "record")} of the base, and here ${found.missing}`;
  const [seq] = [...then.hashes].find(([number, hash]) => found.hashes.get(number) !== hash) ?? [];
  if (seq === undefined) return undefined;
  return seq > found.seq
    ? `the base has ${countText(then.seq, "record")}, and those from record ${seq} on are missing here`
    : `record ${seq} is not the one of the base`;
}

/** Finds which records of another side are neither in a history nor set aside there; undefined if none. */
export function containmentProblem(side: string, now: string): string | undefined {
  if (isGrown(side, now)) return undefined;
  const found = readJournal(now, {});
  const known = new Set([...found.hashes.values(), ...found.lines.map(({ hash }) => hash)]);
  const [seq] = [...readJournal(side, {}).hashes].find(([, hash]) => !known.has(hash)) ?? [];
  return seq === undefined ? undefined : `record ${seq} of the base is neither here nor set aside`;
}

/** Tells if a file only grew. */
function isGrown(before: string, now: string): boolean {
  const [then, found] = [before, now].map((file) => unlessIoError(() => readPlain(file)));
  return then !== undefined && found?.subarray(0, then.length).equals(then) === true;
}
