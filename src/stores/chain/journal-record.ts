import { isAscii } from "node:buffer";
import { canonical, isObject, type JsonObject } from "../../kit/json.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { Event } from "../../workflow/events.ts";
import { isShallow, parseObject } from "../projections/json-text.ts";
import { isEvent, isUnknownEvent } from "./event-shape.ts";

/** One transition in the journal, linked to the previous record by that line's hash. */
export type JournalRecord = {
  /** The journal format, in the first record. */
  readonly format?: number;
  /** The name of the stream, in the first record. */
  readonly of?: string;
  readonly seq: number;
  readonly prev: string;
  /** The operation's id: written twice, it counts once. */
  readonly op: string;
  /** The state file this record answers, if it was not ours: its SHA-256, or `absent`. */
  readonly saw?: string;
  /** The copy of the journal it was written to; git replaces it with every branch. */
  readonly copy?: string;
  /** The time of the write; its events may be older if deciding took long. */
  readonly at?: string;
  /** The writer's own time, if its clock was behind the history. */
  readonly clock?: string;
  readonly events: readonly Event[];
};

/** A record as a line of the journal. */
export type JournalLine = { readonly record: JournalRecord; readonly text: string; readonly hash: string };

/** The time of a write: never before its events, with the writer's own beside it if its clock is behind. */
export function timeOfWrite(
  events: readonly Event[],
  clock = new Date().toISOString(),
): Pick<JournalRecord, "at" | "clock"> {
  const { at = clock } = events.at(-1) ?? {};
  return Date.parse(clock) < Date.parse(at) ? { at, clock } : { at: clock };
}

/** The predecessor of the first record. */
export const genesisHash = "0".repeat(64);

/** The format: lines of canonical JSON, each with the SHA-256 of the previous one. */
export const journalFormat = 1;

/** Serializes a record as its line of canonical JSON; the writer continues with what every reader will read. */
export function toLine(record: JournalRecord): JournalLine {
  const text = canonical(record.seq === 1 ? { format: journalFormat, ...record } : record);
  const written: JournalRecord = JSON.parse(text);
  // Do not acknowledge what readers would refuse.
  if (!written.events.every(isEvent)) throw new Error("This event cannot be recorded: it could not be read back.");
  return { record: written, text, hash: sha256(text) };
}

/** Says that the history continues after line `to` though the head is `from`, because what was between is lost or changed. */
export type Bridge = { readonly from: string; readonly to: string };

/** Serializes a bridge as its line. */
export function bridgeLine(bridge: Bridge, op: string): string {
  return canonical({ bridge, op });
}

/** A parsed line. */
export type ParsedLine = JournalRecord | { readonly bridge: Bridge };

/** Parses a line; undefined if it is not a whole record. */
export function parseLine(bytes: Buffer): ParsedLine | undefined {
  return parseLineWithValue(bytes)?.line;
}

/** Parses a line and returns its raw value too. */
export function parseLineWithValue(
  bytes: Buffer,
): { readonly line: ParsedLine; readonly value: JsonObject } | undefined {
  if (bytes[0] !== openBrace) return undefined;
  const value = parseObject(bytes.toString(isAscii(bytes) ? "latin1" : "utf8"));
  // Records are never nested so deep; later readers would overflow the stack.
  if (value === undefined || (bytes.length > 2 * deepest && !isShallow(value, deepest))) return undefined;
  const line = isJournalRecord(value) ? value : lineOf(value);
  return line && { line, value };
}

const deepest = 500;

/** Tells if a value is already a record, as most are. */
function isJournalRecord(value: JsonObject): value is JsonObject & JournalRecord {
  const { seq, prev, op, of, at, saw, copy, events, bridge } = value;
  const isNamed = isNumbered(seq) && typeof prev === "string" && typeof op === "string" && bridge === undefined;
  const isStamped = isTextOrNone(of) && isTextOrNone(at) && isTextOrNone(saw) && isTextOrNone(copy);
  return isNamed && isStamped && isList(events) && events.every(isEvent);
}

const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === "string";
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function lineOf({ seq, prev, op, of, at, saw, copy, events, bridge }: JsonObject): ParsedLine | undefined {
  if (isObject(bridge) && typeof bridge.from === "string" && typeof bridge.to === "string")
    return { bridge: { from: bridge.from, to: bridge.to } };
  if (!isNumbered(seq) || typeof prev !== "string" || typeof op !== "string" || !Array.isArray(events))
    return undefined;
  // Unknown events of a newer Waymark keep their position in the chain, so that both versions share one history.
  const known = events.every(isEvent) ? events : events.filter((event) => !isUnknownEvent(event));
  if (known !== events && !known.every(isEvent)) return undefined;
  return {
    seq,
    prev,
    op,
    events: known,
    ...(typeof of === "string" ? { of } : {}),
    ...(typeof saw === "string" ? { saw } : {}),
    ...(typeof copy === "string" ? { copy } : {}),
    ...(typeof at === "string" ? { at } : {}),
  };
}

function isNumbered(seq: unknown): seq is number {
  return Number.isSafeInteger(seq) && Number(seq) > 0;
}

/** The number a damaged line's record had; undefined if the line was never whole. `seq` is the last key of every record. */
export function seqOfDamaged(bytes: Buffer): number | undefined {
  const [, seq] = /"seq":(\d+)\}$/.exec(bytes.toString("latin1", Math.max(0, bytes.length - 30))) ?? [];
  return seq === undefined ? undefined : Number(seq);
}

const openBrace = 0x7b;
