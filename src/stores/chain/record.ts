import { isAscii } from "node:buffer";
import { canonical, isObject, type JsonObject } from "../../evidence/json.ts";
import { sha256 } from "../../evidence/sha256.ts";
import type { Event } from "../../workflow/events.ts";
import { isShallow, parseObject } from "../projections/json-text.ts";
import { isEvent, isUnknownEvent } from "./event-shape.ts";

/** One transition as the journal keeps it, tied to the record before it by that line's hash. */
export type JournalRecord = {
  /** The format of the journal: stands in its first record. */
  readonly format?: number;
  /** Whose history it is, by name: stands in its first record. */
  readonly of?: string;
  readonly seq: number;
  readonly prev: string;
  /** Names the operation: the same one written twice counts once. */
  readonly op: string;
  /** The state file that this record answers where it was not one of ours: its SHA-256, or `absent`. */
  readonly saw?: string;
  /** Names the copy of the journal that it was written to: git puts another in its place with every branch. */
  readonly copy?: string;
  /** When it was written there; what happened is older where it took long to decide. */
  readonly at?: string;
  readonly events: readonly Event[];
};

/** A record as it stands in the journal. */
export type Line = { readonly record: JournalRecord; readonly text: string; readonly hash: string };

/** What the first record of a journal is tied to. */
export const beginning = "0".repeat(64);

/** Lines of canonical JSON, each naming the SHA-256 of the one before it. */
export const journalFormat = 1;

/** Writes a record as the line that stands for it: its canonical JSON, whose hash the next record names. The writer goes on with what every reader will read. */
export function toLine(record: JournalRecord): Line {
  const text = canonical(record.seq === 1 ? { format: journalFormat, ...record } : record);
  const written: JournalRecord = JSON.parse(text);
  // What no reader would take is not acknowledged first.
  if (!written.events.every(isEvent)) throw new Error("An event cannot be recorded: it could not be read again.");
  return { record: written, text, hash: sha256(text) };
}

/** Says that the history goes on with the records that follow the line `to`, though it is not the head `from`: what stood between is lost or was changed. */
export type Bridge = { readonly from: string; readonly to: string };

/** Writes a bridge as its line. */
export function bridgeLine(bridge: Bridge, op: string): string {
  return canonical({ bridge, op });
}

/** What a line says. */
export type ReadLine = JournalRecord | { readonly bridge: Bridge };

/** Reads a line; undefined where it is no whole record. */
export function readLine(bytes: Buffer): ReadLine | undefined {
  return readSpelled(bytes)?.line;
}

/** The same, with the value that the line spells. */
export function readSpelled(bytes: Buffer): { readonly line: ReadLine; readonly value: JsonObject } | undefined {
  if (bytes[0] !== openBrace) return undefined;
  const value = parseObject(bytes.toString(isAscii(bytes) ? "latin1" : "utf8"));
  // Nobody records what is nested so deep; whatever reads it on would run out of stack.
  if (value === undefined || (bytes.length > 2 * deepest && !isShallow(value, deepest))) return undefined;
  const line = isWhole(value) ? value : lineOf(value);
  return line && { line, value };
}

const deepest = 500;

/** Whether a value is a record as it stands: most are. */
function isWhole(value: JsonObject): value is JsonObject & JournalRecord {
  const { seq, prev, op, of, at, saw, copy, events, bridge } = value;
  const isNamed = isNumbered(seq) && typeof prev === "string" && typeof op === "string" && bridge === undefined;
  const isStamped = isTextOrNone(of) && isTextOrNone(at) && isTextOrNone(saw) && isTextOrNone(copy);
  return isNamed && isStamped && isList(events) && events.every(isEvent);
}

const isTextOrNone = (value: unknown): boolean => value === undefined || typeof value === "string";
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function lineOf({ seq, prev, op, of, at, saw, copy, events, bridge }: JsonObject): ReadLine | undefined {
  if (isObject(bridge) && typeof bridge.from === "string" && typeof bridge.to === "string")
    return { bridge: { from: bridge.from, to: bridge.to } };
  if (!isNumbered(seq) || typeof prev !== "string" || typeof op !== "string" || !Array.isArray(events))
    return undefined;
  // What a newer Waymark recorded keeps its place in the chain, so that both go on with one history.
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

/** The number of the record that a line held before it was damaged; undefined for a line that never was whole. It stands last: no key of a record may come after it. */
export function seqOfDamaged(bytes: Buffer): number | undefined {
  const [, seq] = /"seq":(\d+)\}$/.exec(bytes.toString("latin1", Math.max(0, bytes.length - 30))) ?? [];
  return seq === undefined ? undefined : Number(seq);
}

const openBrace = 0x7b;
