import type { CheckResult } from "../gates/check.ts";
import type { Gate } from "../gates/gate.ts";
import type { JsonObject } from "../kit/json.ts";
import { hasLetterOrDigit } from "../kit/visible-text.ts";
import type { Event } from "../workflow/events.ts";
import { rejectionOf, type StreamSnapshot } from "../workflow/stream-snapshot.ts";
import { compareWithDigest } from "./compare-digest.ts";

type Completed = Event & { readonly type: "completed" };

/**
 * Finds what a completion's own record says against it, by the rules of the live decision: broken rules, an empty confirmation or one
 * after a rejection, a digest of something else. `before` is the state right before it.
 */
export function selfConsistency(
  gate: Gate | undefined,
  completed: Completed,
  checks: readonly CheckResult[],
  before: StreamSnapshot | undefined,
): readonly string[] {
  return [
    ...(gate?.rulesHold === true ? brokenRules(completed) : []),
    ...emptyConfirmation(completed),
    ...confirmedAfterRejection(completed, before),
    ...digestMismatch(completed, checks, before?.session?.inputs),
  ];
}

function brokenRules({ violations }: Completed): readonly string[] {
  if (violations === undefined) return ["its rule results are not on record"];
  const errors = violations.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined) return [];
  const more = errors.length === 1 ? "" : `, and ${errors.length - 1} more`;
  return [`the record shows a broken rule: ${first.file}: ${first.message}${more}`];
}

/** A relayed confirmation must hold at least one letter or digit. */
function emptyConfirmation({ word: { level, text = "" } }: Completed): readonly string[] {
  return level === "relayed" && !hasLetterOrDigit(text) ? ["the relayed confirmation is empty"] : [];
}

function confirmedAfterRejection(completed: Completed, before: StreamSnapshot | undefined): readonly string[] {
  const { word, digest } = completed;
  if (word.level !== "relayed" || digest === undefined || before === undefined) return [];
  return rejectionOf(before, completed, digest) === undefined
    ? []
    : ["a person rejected this submission, and a relayed yes after that does not count"];
}

/** Approvals are compared with the record elsewhere; this covers the other completions. */
function digestMismatch(
  completed: Completed,
  checks: readonly CheckResult[],
  inputs: JsonObject | undefined,
): readonly string[] {
  const { digest, word } = completed;
  if (word.level === "proven") return [];
  if (digest === undefined) return word.level === "auto" ? [] : ["what was approved is not on record"];
  const results = new Map(checks.map((result) => [result.name, result]));
  return compareWithDigest(completed, results, inputs) === "other"
    ? ["the record is not what was judged: its digest does not match"]
    : [];
}
