import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../evidence/json.ts";
import { sha256 } from "../../evidence/sha256.ts";
import type { Found } from "../../workflow/reconcile.ts";
import { parseJson, parseObject } from "../projections/json-text.ts";
import { isSpelledBy, type Pieces, textOf } from "../projections/pieces.ts";
import { readFoundState } from "./found-state.ts";
import type { Ledger } from "./ledger.ts";

/** What the history says of the state file. */
export type Expectation = {
  readonly isRecorded: boolean;
  /** What should stand there; undefined where nothing should. */
  readonly pieces: Pieces | undefined;
  /** The SHA-256 of the file that the last record answered, where it was not ours. */
  readonly answered: string | undefined;
  /** Whether the file has stood there since the last record made without it. */
  readonly wasPublished: () => boolean;
  readonly isEarlier: (file: JsonObject) => boolean;
};

/** A verdict on a state file; `isOurs`: it says nothing that we did not write. */
export type Verdict = { readonly found: Found; readonly isOurs: boolean };

/** Compares a state file with the history. */
export function compareFile(bytes: Buffer, expected: Expectation): Verdict {
  const { pieces } = expected;
  if (pieces !== undefined && isSpelledBy(bytes, pieces)) return { found: { kind: "current" }, isOurs: true };
  // Dealt with, and the process died before it could publish what came of it.
  if (expected.answered === sha256(bytes)) return { found: { kind: "behind" }, isOurs: false };
  const text = bytes.toString("utf8");
  const file = parseObject(text);
  if (file === undefined) return { found: { kind: "malformed", reason: problemOf(text) }, isOurs: false };
  if (pieces !== undefined && isDeepStrictEqual(file, parseObject(textOf(pieces))))
    return { found: { kind: "current" }, isOurs: true };
  if (expected.isRecorded && expected.isEarlier(file)) return { found: { kind: "behind" }, isOurs: true };
  return { found: { kind: "foreign", file: readFoundState(file) }, isOurs: false };
}

/** Says what it means that no state file is there. */
export function compareAbsence({ pieces, wasPublished }: Expectation): Verdict {
  const kind = pieces === undefined ? "current" : wasPublished() ? "deleted" : "behind";
  return { found: { kind }, isOurs: true };
}

/** Tells whether a file says exactly what the history said at this point of it; the order of keys is free. */
export function isPublicationAt(file: JsonObject, { desk, state }: Ledger): boolean {
  const { completed_actions: completed, timestamp } = file;
  if (desk.focus?.timestamp !== timestamp || !Array.isArray(completed) || completed.length !== state.count())
    return false;
  return isDeepStrictEqual(file, parseObject(textOf(state.pieces(desk))));
}

function problemOf(text: string): string {
  if (text.replace(/^\uFEFF/, "").trim() === "") return "it is empty";
  return parseJson(text) === undefined ? "it is not JSON" : "it is not a JSON object";
}
