import type { CheckResult } from "../gates/check.ts";
import { observationKey } from "../gates/field-gaps.ts";
import type { Earlier, Gate, Observations } from "../gates/gate.ts";
import { listGaps } from "../gates/judge-evidence.ts";
import { describeRule } from "../gates/rule-vocabulary.ts";
import { unobservedOf } from "../gates/unobserved.ts";
import type { Waived } from "../gates/waiver.ts";
import { countText } from "../kit/count-text.ts";
import { defined } from "../kit/defined.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Event, Violation } from "../workflow/events.ts";
import { isSameAttempt } from "../workflow/step-ref.ts";
import type { AuditedApproval } from "./audit-approvals.ts";

type Completed = Event & { readonly type: "completed" };

/** The result of judging evidence again: its gaps, and what can no longer be observed. */
export type RejudgedEvidence = { readonly gaps: readonly string[]; readonly unobservable: readonly string[] };

/** Judges recorded evidence by its gate again; `observed` holds the observations made now. */
export function rejudgeEvidence(
  gate: Gate | undefined,
  evidence: JsonObject,
  earlier: Earlier,
  observed: Observations,
): RejudgedEvidence {
  if (gate === undefined) return { gaps: [], unobservable: [] };
  const unobserved = unobservedOf(gate, evidence, observed);
  // What cannot be observed now was observed then: it counts as claimed, neither for nor against the evidence.
  const seen = new Map([
    ...observed,
    ...unobserved.map(({ field, rule }) => [observationKey(field, rule.kind), null] as const),
  ]);
  return {
    gaps: listGaps(gate, evidence, seen, earlier).map(({ text }) => text),
    unobservable: unobserved.map(
      ({ field, rule }) => `${field}, observed then, not observable now: ${describeRule(rule)}`,
    ),
  };
}

/** Splits what a completion relies on into verified and claimed, with what was waived apart. */
export function proofsFor(
  completed: Completed | undefined,
  again: PassedAgain | undefined,
  checks: readonly CheckResult[] = [],
  approvals: readonly AuditedApproval[] = [],
): { readonly proved: readonly string[]; readonly claimed: readonly string[]; readonly waived?: readonly Waived[] } {
  if (completed === undefined) return { proved: [], claimed: [] };
  const { evidence = {}, content = [], violations, word, client, waived } = completed;
  const fields = Object.keys(evidence);
  const passed = checks.filter(({ status }) => status === "passed");
  const found = new Set(passed.flatMap((result) => Object.keys(result.found ?? {})));
  const isWaived = (field: string): boolean => waived?.some((one) => one.field === field) === true;
  const taken = fields.filter((field) => !found.has(field) && !isWaived(field) && !again?.seen.includes(field));
  const claimed = [
    ...(taken.length === 0 ? [] : [`evidence: ${taken.join(", ")}`]),
    ...(again?.unobservable ?? []),
    ...content.map(({ path, sha256 }) => `submitted: ${path} (sha256 ${sha256.slice(0, 12)})`),
    ...(violations === undefined ? [] : [describeRecordedRules(violations)]),
    ...describeApproval(word, client),
  ];
  const proved = [
    ...passed.map(describeRecordedCheck),
    ...(again === undefined || again.seen.length === 0 ? [] : [`seen again: ${again.seen.join(", ")}`]),
    ...provenApprovals(completed, approvals),
  ];
  const isBare = claimed.length === 0 && passed.length === 0 && word.level !== "proven";
  return { proved, claimed: isBare ? ["that it was done"] : claimed, ...defined({ waived }) };
}

/** Evidence that passed its gate again, except what is `unobservable`; the server saw the files of `seen`. */
export type PassedAgain = Pick<RejudgedEvidence, "unobservable"> & { readonly seen: readonly string[] };

/** The fields whose files the server saw now; every other rule judges a form, which verifies nothing. */
export function seenFields(gate: Gate | undefined, observed: Observations): readonly string[] {
  const kinds = ["file_exists", "directory_exists"] as const;
  return (gate?.requirements ?? []).flatMap(({ field }) =>
    kinds.some((kind) => observed.get(observationKey(field, kind)) === null) ? [field] : [],
  );
}

/** The approvals of a completion whose signatures hold. */
export function provenApprovals(completed: Completed, approvals: readonly AuditedApproval[]): readonly string[] {
  const { word, digest } = completed;
  const own = approvals.filter(
    (one) => one.problem === undefined && one.decision === "approve" && isSameAttempt(one, completed),
  );
  return (word.by ?? []).flatMap(({ name, key }) => {
    const found = own.find((one) => one.name === name && one.key === key && one.digest === digest);
    return found === undefined ? [] : [`approved by ${name} with the key ${key.slice(0, 16)}: the signature holds`];
  });
}

/** Describes a check that Waymark ran then, and the fields it gave. */
export function describeRecordedCheck({ name, summary, found = {}, signed }: CheckResult): string {
  const { level, runner = "the caller's own runner" } = signed ?? {};
  const given = Object.entries(found).map(([field, value]) => `${field} ${value}`);
  return `${name}, run then${level === undefined ? "" : ` by ${runner} (${level})`}: ${summary}${given.length === 0 ? "" : ` (it gave ${given.join(", ")})`}`;
}

/** Describes the recorded result of the rules. */
export function describeRecordedRules(violations: readonly Violation[]): string {
  return `rules: ${describeFindings(violations.length)} then, not run again`;
}

/** Describes the number of rule findings. */
export function describeFindings(count: number): string {
  return count === 0 ? "nothing found" : countText(count, "finding");
}

function describeApproval(
  word: (Event & { readonly type: "completed" })["word"],
  client: string | undefined,
): readonly string[] {
  const text = word.text === undefined ? "" : `: "${word.text.slice(0, 80)}"`;
  if (word.level === "relayed") return [`a person's approval, relayed by the assistant${text}`];
  if (word.level === "proven") return text === "" ? [] : [`their comment${text}`];
  return word.level === "elicited" ? [`a person's answer through ${client ?? "the client"}${text}`] : [];
}
