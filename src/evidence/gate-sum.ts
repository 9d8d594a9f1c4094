import { bothApprovals } from "./approval.ts";
import type { Check } from "./check.ts";
import { checkMeaning } from "./check-verdict.ts";
import type { EvidenceType, Gate, Requirement, Source } from "./gate.ts";
import { digestOf } from "./json.ts";
import type { Problem } from "./problem.ts";
import { findClash } from "./rule-clash.ts";

/** What two gates ask for together: the second adds to the first, and never opens what the first one closes. */
export function addUp(first: Gate, second: Gate): Gate {
  const fields = new Map(first.requirements.map((one) => [one.field, one]));
  let closed = first.closed ?? second.closed;
  for (const added of second.requirements) {
    const known = fields.get(added.field);
    const merged = known === undefined ? added : merge(known, added);
    if ("message" in merged) closed ??= merged;
    else fields.set(added.field, merged);
  }
  closed ??= findOther(first.checks ?? [], second.checks ?? []);
  return {
    requirements: [...fields.values()],
    comparisons: [...first.comparisons, ...second.comparisons],
    examples: { ...first.examples, ...second.examples },
    rulesHold: first.rulesHold || second.rulesHold,
    ...approvalOf(first, second),
    ...checksOf(first, second),
    ...editsOf(second.edits === undefined ? first : second),
    ...(closed === undefined ? {} : { closed }),
  };
}

/** What may be changed is no demand: the second says it for both. */
function editsOf({ edits, editsSource }: Gate): Pick<Gate, "edits" | "editsSource"> {
  return { ...(edits === undefined ? {} : { edits }), ...(editsSource === undefined ? {} : { editsSource }) };
}

/** What both want found out. */
function checksOf(first: Gate, second: Gate): Pick<Gate, "checks" | "fresh" | "freshSource"> {
  const freshSource = second.freshSource ?? first.freshSource;
  const checks = new Map([...(first.checks ?? []), ...(second.checks ?? [])].map((one) => [one.name, one]));
  const fresh = new Set([...(first.fresh ?? []), ...(second.fresh ?? [])]);
  return {
    ...(checks.size === 0 ? {} : { checks: [...checks.values()] }),
    ...(fresh.size === 0 ? {} : { fresh: [...fresh] }),
    ...(freshSource === undefined ? {} : { freshSource }),
  };
}

/** A check that takes the name of another would take its place: what is added never asks for less. */
function findOther(first: readonly Check[], second: readonly Check[]): Problem | undefined {
  const known = new Map(first.map((one) => [one.name, digestOf(checkMeaning(one))]));
  const other = second.find((one) => known.has(one.name) && known.get(one.name) !== digestOf(checkMeaning(one)));
  if (other === undefined) return undefined;
  const message = `the check ${other.name} is asked for otherwise by the action's own gate`;
  return problemAt(other, message, "Give one of the two another name.");
}

function problemAt({ source }: { readonly source?: Source }, message: string, fix: string): Problem {
  const { file = "gate-definition.yaml", line = 1 } = source ?? {};
  return { code: "gate-wrong-value", file, line, message, fix };
}

/** One field that both ask for: every rule of both holds; the second says what it is. */
function merge(known: Requirement, added: Requirement): Requirement | Problem {
  const type = narrower(known.type, added.type);
  if (type === undefined) {
    const message = `${added.field} is asked for as ${added.type}, and elsewhere as ${known.type}`;
    return problemAt(added, message, "Ask for one type in both gates.");
  }
  const rules = [...known.rules, ...added.rules];
  const clash = findClash({ field: added.field, type, rules });
  if (clash !== undefined) return problemAt(added, clash, "Change one of the two demands.");
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

/** Whose approval both ask for together, and where the first that asks for any says so. */
export function approvalOf(
  first: AskedOfPeople,
  second: AskedOfPeople,
): Pick<Gate, "approval" | "approvalNeeds" | "approvalSource"> {
  const asking = [first, second].filter(({ approval }) => approval);
  const needs = asking.flatMap(({ approvalNeeds }) => approvalNeeds ?? []);
  const [source] = asking.flatMap(({ approvalSource }) => approvalSource ?? []);
  return {
    approval: asking.length > 0,
    ...(needs.length === 0 ? {} : { approvalNeeds: needs.reduce(bothApprovals) }),
    ...(source === undefined ? {} : { approvalSource: source }),
  };
}

/** What a gate asks of people. */
export type AskedOfPeople = Pick<Gate, "approval" | "approvalNeeds" | "approvalSource">;
