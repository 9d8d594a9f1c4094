import type { RootContent } from "mdast";
import { describeComparison } from "../../../gates/describe-rules.ts";
import { findFieldGaps } from "../../../gates/field-gaps.ts";
import type { Comparison, Gate, Operand, Requirement } from "../../../gates/gate.ts";
import { findClash } from "../../../gates/rule-clash.ts";
import type { JsonObject } from "../../../kit/json.ts";
import { examplesIn } from "./examples.ts";
import { type LineRead, onlyAsked, readRequirements } from "./read-requirements.ts";

/** A gate as its Markdown asks for it, with every line that was read. */
export type ProseGate = {
  readonly gate: Gate;
  readonly lines: readonly LineRead[];
  /** Lines of checkboxes whose name another one has, with the name they get. */
  readonly repeated: readonly { readonly line: number; readonly field: string }[];
};

/** Reads the gate of some Markdown; every line that asks is in it. */
export function proseGate(nodes: readonly RootContent[], file: string, isTask = false): ProseGate {
  const { lines, approval } = readRequirements(nodes, isTask);
  const byField = new Map<string, LineRead & { readonly requirement: Requirement }>();
  const repeated: { readonly line: number; readonly field: string }[] = [];
  const named = lines.map((read): LineRead => {
    const { requirement: asked, line } = read;
    if (asked === undefined) return read;
    const requirement = { ...asked, source: { file, line } };
    const known = byField.get(asked.field);
    if (known === undefined) byField.set(asked.field, { ...read, requirement });
    else if (known.isNamed && read.isNamed && !(known.isBox && read.isBox))
      byField.set(asked.field, {
        ...known,
        requirement: both(known.requirement, requirement),
        compared: [...(known.compared ?? []), ...(read.compared ?? [])],
      });
    else {
      const field = freeName(asked.field, byField);
      byField.set(field, { ...read, requirement: { ...requirement, field } });
      if (read.isBox) repeated.push({ line, field });
      return { ...read, requirement: { ...asked, field } };
    }
    return read;
  });
  const all = [...byField.values()].map((one) => one.requirement);
  const examples = examplesIn(nodes, all);
  const requirements = all.map((one) => keepExample(one, examples));
  const comparisons = [...byField.values()].flatMap(({ requirement, compared = [], line }) =>
    compared.flatMap(({ is, other }) => comparisonOf(requirement.field, is, other, requirements, { file, line })),
  );
  const asked = new Set<string | undefined>(requirements.flatMap((one) => (one.checked === false ? one.field : [])));
  const approved = approval === undefined ? {} : { approvalSource: { file, line: approval } };
  return {
    gate: {
      requirements,
      comparisons,
      examples,
      rulesHold: false,
      approval: approval !== undefined,
      ...approved,
      isFromProse: true,
    },
    lines: named.map((read) =>
      read.kind === "enforced" && asked.has(read.requirement?.field) ? { ...read, kind: "asked" } : read,
    ),
    repeated,
  };
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let number = 2;
  while (taken.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

/** Puts what two lines say of one field together; where that cannot be, it is asked in both texts. */
export function both(known: Requirement, other: Requirement): Requirement {
  const description =
    known.description === other.description ? known.description : `${known.description} / ${other.description}`;
  const { checked: _, ...sure } = known.checked === false ? other : known;
  const rules = [...new Map([...known.rules, ...other.rules].map((rule) => [JSON.stringify(rule), rule])).values()];
  const isSame = known.type === other.type || known.type === "any" || other.type === "any";
  const isKept = isSame && findClash({ field: known.field, type: sure.type, rules }) === undefined;
  const whole = { ...known, required: known.required || other.required, description };
  if (!isKept) return onlyAsked(whole);
  const { checked: __, mayBeEmpty: ___, ...plain } = whole;
  const isAsked = known.checked === false && other.checked === false;
  const mayBeEmpty = known.mayBeEmpty === true && other.mayBeEmpty === true;
  const type = known.type === "any" ? other.type : known.type;
  return {
    ...plain,
    type,
    rules,
    ...(isAsked ? { checked: false } : {}),
    ...(mayBeEmpty || type === "list" ? { mayBeEmpty } : {}),
  };
}

/** A rule that refuses the author's own example was misread, so the requirement is only asked. */
function keepExample(requirement: Requirement, examples: JsonObject): Requirement {
  const { field, rules } = requirement;
  const isOutside = rules.some(
    ({ kind }) => kind === "matches" || kind === "file_exists" || kind === "directory_exists",
  );
  const plain = { ...requirement, rules: isOutside ? [] : rules };
  if (!Object.hasOwn(examples, field) || findFieldGaps(plain, examples, new Map(), new Map()).length === 0)
    return requirement;
  return onlyAsked(requirement);
}

/** A comparison of two fields that can be compared; of a list its length. */
function comparisonOf(
  field: string,
  is: Comparison["is"],
  other: string,
  all: readonly Requirement[],
  source: { readonly file: string; readonly line: number },
): Comparison[] {
  const typeOf = (name: string) => all.find((one) => one.field === name)?.type;
  const operand = (name: string): Operand => (typeOf(name) === "list" ? { lengthOf: name } : { field: name });
  if (typeOf(other) === undefined) return [];
  const compared = { left: operand(field), is, right: operand(other) };
  return [{ ...compared, message: describeComparison(compared), source }];
}
