import type { CheckResult } from "../evidence/check.ts";
import { observationKey } from "../evidence/evidence-rule.ts";
import { type Earlier, type Gate, listGaps, type Observations } from "../evidence/gate.ts";
import type { JsonObject } from "../evidence/json.ts";
import { unobservedOf } from "../evidence/unobserved.ts";
import { describeRule } from "../evidence/vocabulary.ts";
import type { Event, Violation } from "../workflow/events.ts";
import { isSameAttempt } from "../workflow/step-ref.ts";
import type { AuditedApproval } from "./approvals.ts";

type Completed = Event & { readonly type: "completed" };

/** What became of evidence whose gate looked at it again: what it lacks, and what nobody can look at any more (is the file there?). */
export type LookedAgain = { readonly gaps: readonly string[]; readonly untold: readonly string[] };

/** Holds the evidence on record against its gate again; `observed`: what was found out about the outside just now. */
export function gapsAgain(
  gate: Gate | undefined,
  evidence: JsonObject,
  earlier: Earlier,
  observed: Observations,
): LookedAgain {
  if (gate === undefined) return { gaps: [], untold: [] };
  const untold = unobservedOf(gate, evidence, observed);
  // What nobody can tell now was seen then: it is claimed, and speaks neither for the evidence nor against it.
  const seen = new Map([
    ...observed,
    ...untold.map(({ field, rule }) => [observationKey(field, rule.kind), null] as const),
  ]);
  return {
    gaps: listGaps(gate, evidence, seen, earlier).map(({ text }) => text),
    untold: untold.map(({ field, rule }) => `${field}, seen then and not to be seen now: ${describeRule(rule)}`),
  };
}

/** What a completion rests on: what can be proved of it now or was found by Waymark itself, and what is taken at somebody's word. */
export function restsOn(
  completed: Completed | undefined,
  again: Again | undefined,
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
    ...(again?.untold ?? []),
    ...content.map(({ path, sha256 }) => `handed in: ${path} (sha256 ${sha256.slice(0, 12)})`),
    ...(violations === undefined ? [] : [ruledThen(violations)]),
    ...wordOf(word, client),
  ];
  const proved = [
    ...passed.map(checkedThen),
    ...(again !== undefined && fields.length > 0 ? [judgedAgain(again)] : []),
    ...approvedBy(completed, approvals),
  ];
  const isBare = claimed.length === 0 && passed.length === 0 && word.level !== "proven";
  return { proved, claimed: isBare ? ["that it was done"] : claimed };
}

/** That evidence was held against its gate again, and passed; all but what is `untold`. */
export type Again = Pick<LookedAgain, "untold">;

function judgedAgain({ untold }: Again): string {
  return untold.length === 0
    ? "that this evidence passes the gate: judged again"
    : "that this evidence passes what of the gate can be looked at now: judged again";
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
