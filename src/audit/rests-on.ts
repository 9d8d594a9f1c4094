import type { CheckResult } from "../evidence/check.ts";
import { type Earlier, type Gate, listGaps } from "../evidence/gate.ts";
import type { Event, Violation } from "../workflow/events.ts";
import { isSameAttempt } from "../workflow/step-ref.ts";
import type { AuditedApproval } from "./approvals.ts";

type Completed = Event & { readonly type: "completed" };

/**
 * What the evidence on record lacks when its gate looks at it again; nothing where it passes. What took a look outside (is the file
 * there?) was seen then, and is not looked at again.
 */
export function gapsAgain(gate: Gate | undefined, { evidence = {} }: Completed, earlier: Earlier): readonly string[] {
  const gaps = gate === undefined ? [] : listGaps(gate, evidence, new Map(), earlier);
  return gaps.filter(({ kind }) => kind !== "validation_error").map(({ text }) => text);
}

/** What a completion rests on: what can be proved of it now or was found by Waymark itself, and what is taken at somebody's word. */
export function restsOn(
  completed: Completed | undefined,
  isJudgedAgain: boolean,
  checks: readonly CheckResult[] = [],
  approvals: readonly AuditedApproval[] = [],
): { readonly proved: readonly string[]; readonly claimed: readonly string[] } {
  if (completed === undefined) return { proved: [], claimed: [] };
  const { evidence = {}, content = [], violations, word, client } = completed;
  const fields = Object.keys(evidence);
  const passed = checks.filter(({ status }) => status === "passed");
  const found = new Set(passed.flatMap((result) => Object.keys(result.found ?? {})));
  const taken = fields.filter((field) => !found.has(field));
  const claimed = [
    ...(taken.length === 0 ? [] : [`evidence, taken at its word: ${taken.join(", ")}`]),
    ...content.map(({ path, sha256 }) => `handed in: ${path} (sha256 ${sha256.slice(0, 12)})`),
    ...(violations === undefined ? [] : [ruledThen(violations)]),
    ...wordOf(word, client),
  ];
  const proved = [
    ...passed.map(checkedThen),
    ...(isJudgedAgain && fields.length > 0 ? ["that this evidence passes the gate: judged again"] : []),
    ...approvedBy(completed, approvals),
  ];
  const isBare = claimed.length === 0 && passed.length === 0 && word.level !== "proven";
  return { proved, claimed: isBare ? ["that it was done"] : claimed };
}

/** The approvals that a completion rests on, as far as their signatures hold. */
function approvedBy(completed: Completed, approvals: readonly AuditedApproval[]): readonly string[] {
  const { word, digest } = completed;
  const own = approvals.filter(
    (one) => one.problem === undefined && one.decision === "approve" && isSameAttempt(one, completed),
  );
  return (word.by ?? []).flatMap(({ name, key }) => {
    const found = own.find((one) => one.name === name && one.key === key && one.digest === digest);
    return found === undefined ? [] : [`approved by ${name} with the key ${key.slice(0, 16)}: the signature holds`];
  });
}

/** A check that Waymark ran at the time, and the fields that it gave. */
export function checkedThen({ name, summary, found = {} }: CheckResult): string {
  const given = Object.entries(found).map(([field, value]) => `${field} ${value}`);
  return `${name}, run then: ${summary}${given.length === 0 ? "" : ` (it gave ${given.join(", ")})`}`;
}

/** What the rules came to at the time. */
export function ruledThen(violations: readonly Violation[]): string {
  return `rules: ${findings(violations.length)} then, not run again`;
}

/** How much rules found, in words. */
export function findings(count: number): string {
  return count === 0 ? "nothing found" : `${count} finding(s)`;
}

function wordOf(word: (Event & { readonly type: "completed" })["word"], client: string | undefined): readonly string[] {
  const text = word.text === undefined ? "" : `: "${word.text.slice(0, 80)}"`;
  if (word.level === "relayed") return [`a person's word, as the assistant passed it on${text}`];
  if (word.level === "proven") return text === "" ? [] : [`what they said to it${text}`];
  return word.level === "elicited" ? [`a person's answer through ${client ?? "the client"}${text}`] : [];
}
