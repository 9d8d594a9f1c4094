import { hash } from "node:crypto";
import type { Event } from "../../workflow/events.ts";
import { parseObject } from "../projections/json-text.ts";
import { isEvent, isUnknownEvent } from "./event-shape.ts";

/** One transition as the journal keeps it, tied to the record before it by that line's hash. */
export type JournalRecord = {
  readonly seq: number;
  readonly prev: string;
  /** Names the operation: the same one written twice counts once. */
  readonly op: string;
  /** The state file that this record answers where it was not one of ours: its SHA-256, or `absent`. */
  readonly saw?: string;
  readonly events: readonly Event[];
};

/** A record as it stands in the journal. */
export type Line = { readonly record: JournalRecord; readonly text: string; readonly hash: string };

/** What the first record of a journal is tied to. */
export const beginning = "0".repeat(64);

/** Writes a record as the line that stands for it. */
export function toLine(record: JournalRecord): Line {
  const text = JSON.stringify(record);
  return { record, text, hash: sha256(text) };
}

/** Reads a line; undefined where it is no whole record. */
export function readLine(bytes: Buffer): JournalRecord | undefined {
  const value = bytes[0] === openBrace ? parseObject(bytes.toString("utf8")) : undefined;
  if (value === undefined) return undefined;
  const { seq, prev, op, saw, events } = value;
  if (typeof seq !== "number" || typeof prev !== "string" || typeof op !== "string" || !Array.isArray(events))
    return undefined;
  // What a newer Waymark recorded keeps its place in the chain, so that both go on with one history.
  const known = events.filter((event) => !isUnknownEvent(event));
  if (!known.every(isEvent)) return undefined;
  return { seq, prev, op, events: known, ...(typeof saw === "string" ? { saw } : {}) };
}

/** The SHA-256 of a text or of bytes, in hex. */
export function sha256(data: string | Buffer): string {
  return hash("sha256", data);
}

const openBrace = 0x7b;
