import { defined } from "../kit/defined.ts";
import { digestOf } from "../kit/json.ts";
import { combineApprovalRules } from "./approval-rule.ts";
import type { Check } from "./check.ts";
import { checkMeaning } from "./check-verdict.ts";
import type { EvidenceType, Gate, Requirement } from "./gate.ts";
import type { Problem } from "./problem.ts";
import { findClash } from "./rule-clash.ts";
import type { Source } from "./source.ts";

/** Combines two gates: the second adds to the first and never opens what the first closes. */
export function combineGates(first: Gate, second: Gate): Gate {
  const fields = new Map(first.requirements.map((one) => [one.field, one]));
  let closed = first.closed ?? second.closed;
  for (const added of second.requirements) {
    const known = fields.get(added.field);
    const merged = known === undefined ? added : merge(known, added);
    if ("message" in merged) closed ??= merged;
    else fields.set(added.field, merged);
  }
  closed ??= findConflictingCheck(first.checks ?? [], second.checks ?? []);
  return {
    requirements: [...fields.values()],
    comparisons: [...first.comparisons, ...second.comparisons],
    examples: { ...first.examples, ...second.examples },
    rulesHold: first.rulesHold || second.rulesHold,
    ...combinedApproval(first, second),
    ...checksOf(first, second),
    ...editsOf(second.edits === undefined ? first : second),
    ...defined({ closed }),
  };
}

/** `edits` is no requirement: the second gate's apply to both. */
function editsOf({ edits, editsSource }: Gate): Pick<Gate, "edits" | "editsSource"> {
  return { ...defined({ edits, editsSource }) };
}

/** The checks of both gates. */
function checksOf(first: Gate, second: Gate): Pick<Gate, "checks" | "fresh" | "freshSource"> {
  const freshSource = second.freshSource ?? first.freshSource;
  const checks = new Map([...(first.checks ?? []), ...(second.checks ?? [])].map((one) => [one.name, one]));
  const fresh = new Set([...(first.fresh ?? []), ...(second.fresh ?? [])]);
  return {
    ...(checks.size === 0 ? {} : { checks: [...checks.values()] }),
    ...(fresh.size === 0 ? {} : { fresh: [...fresh] }),
    ...defined({ freshSource }),
  };
}

/** A check with the same name would replace the other, and could ask for less. */
function findConflictingCheck(first: readonly Check[], second: readonly Check[]): Problem | undefined {
  const known = new Map(first.map((one) => [one.name, digestOf(checkMeaning(one))]));
  const other = second.find((one) => known.has(one.name) && known.get(one.name) !== digestOf(checkMeaning(one)));
  if (other === undefined) return undefined;
  const message = `the action's own gate has a different check named ${other.name}`;
  return problemAt(other, message, "Rename one of them.");
}

function problemAt({ source }: { readonly source?: Source }, message: string, fix: string): Problem {
  const { file = "gate-definition.yaml", line = 1 } = source ?? {};
  return { code: "gate-wrong-value", file, line, message, fix };
}

/** Merges a field that both ask for: every rule of both applies; the second's description is used. */
function merge(known: Requirement, added: Requirement): Requirement | Problem {
  const type = narrower(known.type, added.type);
  if (type === undefined) {
    const message = `${added.field} is ${added.type} here and ${known.type} elsewhere`;
    return problemAt(added, message, "Use one type in both gates.");
  }
  const rules = [...known.rules, ...added.rules];
  const clash = findClash({ field: added.field, type, rules });
  if (clash !== undefined) return problemAt(added, clash, "Change one of the two rules.");
  const { mayBeEmpty: _, ...asked } = added;
  const isSaid = known.mayBeEmpty !== undefined && added.mayBeEmpty !== undefined;
  return {
    ...asked,
    type,
    required: known.required || added.required,
    rules,
    ...(isSaid ? { mayBeEmpty: known.mayBeEmpty === true && added.mayBeEmpty === true } : {}),
  };
}

function narrower(a: EvidenceType, b: EvidenceType): EvidenceType | undefined {
  if (a === b) return a;
  const isNumeric = (type: EvidenceType): boolean => type === "integer" || type === "number";
  return isNumeric(a) && isNumeric(b) ? "integer" : undefined;
}

/** The combined approval of both gates, with the source of the first that requires one. */
export function combinedApproval(
  first: ApprovalPart,
  second: ApprovalPart,
): Pick<Gate, "approval" | "approvalNeeds" | "approvalSource"> {
  const asking = [first, second].filter(({ approval }) => approval);
  const needs = asking.flatMap(({ approvalNeeds }) => approvalNeeds ?? []);
  const [source] = asking.flatMap(({ approvalSource }) => approvalSource ?? []);
  return {
    approval: asking.length > 0,
    ...(needs.length === 0 ? {} : { approvalNeeds: needs.reduce(combineApprovalRules) }),
    ...defined({ approvalSource: source }),
  };
}

/** The approval part of a gate. */
export type ApprovalPart = Pick<Gate, "approval" | "approvalNeeds" | "approvalSource">;
