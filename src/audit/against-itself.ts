import type { CheckResult } from "../evidence/check.ts";
import type { Gate } from "../evidence/gate.ts";
import { isWord } from "../evidence/persons-word.ts";
import { type Desk, declinedAt } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import { compareWithDigest } from "./compare-digest.ts";

type Completed = Event & { readonly type: "completed" };

/**
 * What the record of a completion says against its own counting, by the rules of the live decision: rules that were broken, a word that
 * says nothing or came after a no to the same, a digest of something else. `before`: what the history added up to right before it.
 */
export function againstItself(
  gate: Gate | undefined,
  completed: Completed,
  checks: readonly CheckResult[],
  before: Desk | undefined,
): readonly string[] {
  return [
    ...(gate?.rulesHold === true ? brokenRules(completed) : []),
    ...emptyWord(completed),
    ...afterNo(completed, before),
    ...otherDigest(completed, checks),
  ];
}

function brokenRules({ violations }: Completed): readonly string[] {
  if (violations === undefined) return ["what its rules found is not on record"];
  const errors = violations.filter(({ severity }) => severity === "error");
  const [first] = errors;
  if (first === undefined) return [];
  const more = errors.length === 1 ? "" : `, and ${errors.length - 1} more`;
  return [`a rule was broken on record: ${first.file}: ${first.message}${more}`];
}

/** Somebody's words that are passed on hold at least a letter or a digit. */
function emptyWord({ word: { level, text = "" } }: Completed): readonly string[] {
  return level === "relayed" && !isWord(text) ? ["a person's word was passed on that says nothing"] : [];
}

function afterNo(completed: Completed, before: Desk | undefined): readonly string[] {
  const { word, digest } = completed;
  if (word.level !== "relayed" || digest === undefined || before === undefined) return [];
  return declinedAt(before, completed, digest) === undefined
    ? []
    : ["a person said no to this very hand-in, and a yes that is passed on after that does not count"];
}

/** That a proven word is about what is on record is looked at with the approvals. */
function otherDigest(completed: Completed, checks: readonly CheckResult[]): readonly string[] {
  const { digest, word } = completed;
  if (word.level === "proven") return [];
  if (digest === undefined) return word.level === "auto" ? [] : ["what the word was said to is not on record"];
  const results = new Map(checks.map((result) => [result.name, result]));
  return compareWithDigest(completed, results) === "other"
    ? ["what is on record there is not what was judged: its digest is of something else"]
    : [];
}
