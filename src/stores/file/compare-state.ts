import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../kit/json.ts";
import { sha256 } from "../../kit/sha256.ts";
import type { ViewComparison } from "../../workflow/reconcile.ts";
import { type FilePieces, isEqualToPieces, textOf } from "../projections/file-pieces.ts";
import { parseJson, parseObject } from "../projections/json-text.ts";
import { readFoundState } from "./found-state.ts";
import type { BotTotals } from "./journal-totals.ts";

/** The expected state file. */
export type ExpectedState = {
  readonly isRecorded: boolean;
  /** The expected content; undefined if there should be none. */
  readonly pieces: FilePieces | undefined;
  /** The SHA-256 of the foreign file that the last record answered. */
  readonly answered: string | undefined;
  /** Tells if the file has existed since the last record made without it. */
  readonly wasPublished: () => boolean;
  readonly isEarlier: (file: JsonObject) => boolean;
};

/** A verdict on a state file; `isOurs` if it contains nothing we did not write. */
export type StateVerdict = { readonly found: ViewComparison; readonly isOurs: boolean };

/** Compares a state file with the history. */
export function compareFile(bytes: Buffer, expected: ExpectedState): StateVerdict {
  const { pieces } = expected;
  if (pieces !== undefined && isEqualToPieces(bytes, pieces)) return { found: { kind: "current" }, isOurs: true };
  // It was answered, but the process died before publishing the result.
  if (expected.answered === sha256(bytes)) return { found: { kind: "behind" }, isOurs: false };
  const text = bytes.toString("utf8");
  const file = parseObject(text);
  if (file === undefined) return { found: { kind: "malformed", reason: problemOf(text) }, isOurs: false };
  if (pieces !== undefined && isDeepStrictEqual(file, parseObject(textOf(pieces))))
    return { found: { kind: "current" }, isOurs: true };
  if (expected.isRecorded && expected.isEarlier(file)) return { found: { kind: "behind" }, isOurs: true };
  return { found: { kind: "foreign", file: readFoundState(file) }, isOurs: false };
}

/** Judges a missing state file. */
export function compareAbsence({ pieces, wasPublished }: ExpectedState): StateVerdict {
  const kind = pieces === undefined ? "current" : wasPublished() ? "deleted" : "behind";
  return { found: { kind }, isOurs: true };
}

/** Tells if a file shows exactly the history at this point; key order does not matter. */
export function isPublicationAt(file: JsonObject, { stream, state }: BotTotals): boolean {
  const { completed_actions: completed, timestamp } = file;
  if (stream.focus?.timestamp !== timestamp || !Array.isArray(completed) || completed.length !== state.count())
    return false;
  return isDeepStrictEqual(file, parseObject(textOf(state.pieces(stream))));
}

function problemOf(text: string): string {
  if (text.replace(/^\uFEFF/, "").trim() === "") return "it is empty";
  return parseJson(text) === undefined ? "it is not JSON" : "it is not a JSON object";
}
