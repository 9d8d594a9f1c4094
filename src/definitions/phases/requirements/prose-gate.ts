import type { RootContent } from "mdast";
import { describeComparison } from "../../../gates/describe-rules.ts";
import { findFieldGaps } from "../../../gates/field-gaps.ts";
import { type Gate, isOutside, type Operand, type Requirement } from "../../../gates/gate.ts";
import { findClash } from "../../../gates/rule-clash.ts";
import { defined } from "../../../kit/defined.ts";
import type { JsonObject } from "../../../kit/json.ts";
import { examplesIn } from "./examples.ts";
import { type LineRead, onlyAsked, readRequirements } from "./read-requirements.ts";

/** A document, or a part of one, that asks: its path on disk, and its file as messages show it. */
export type Prose = {
  readonly nodes: readonly RootContent[];
  readonly path: string;
  readonly file: string;
  /** True for a task, whose loose checkboxes are steps. */
  readonly isTask?: boolean;
};

/** A line of a phase's Markdown as it was read, with its file. */
export type PhaseLine = LineRead & {
  readonly path: string;
  /** True if the phase has a gate file or block that asks instead. */
  readonly hasGate?: true;
  /** True if another line has its name, so that it gets another. */
  readonly isRenamed?: true;
};

/** A gate as its Markdown asks for it, with every line that was read. */
export type ProseGate = {
  readonly gate: Gate;
  readonly lines: readonly PhaseLine[];
};

/** Reads the gate of some Markdown; every line that asks is in it. */
export function proseGate(parts: readonly Prose[]): ProseGate {
  const byField = new Map<string, LineRead & { readonly requirement: Requirement }>();
  const placed = parts.flatMap(({ nodes, path, file, isTask }) =>
    readRequirements(nodes, isTask).map((read) => ({ ...read, path, file })),
  );
  const lines = placed.map(({ file, ...read }): PhaseLine => {
    const { requirement: asked, line } = read;
    if (asked === undefined) return read;
    const known = byField.get(asked.field);
    const isOne = known?.isNamed && read.isNamed && !(known.isBox && read.isBox);
    const field = known === undefined || isOne ? asked.field : freeName(asked.field, byField);
    const requirement = { ...asked, field, source: { file, line } };
    const compared = [...(known?.compared ?? []), ...(read.compared ?? [])];
    byField.set(
      field,
      known && isOne
        ? { ...known, requirement: both(known.requirement, requirement), compared }
        : { ...read, requirement },
    );
    return field === asked.field ? read : { ...read, isRenamed: true, requirement: { ...asked, field } };
  });
  const all = [...byField.values()].map((one) => one.requirement);
  const examples: JsonObject = Object.assign({}, ...parts.map(({ nodes }) => examplesIn(nodes, all)).reverse());
  const requirements = all.map((one) => keepExample(one, examples));
  const operand = (field: string): Operand =>
    requirements.some((one) => one.field === field && one.type === "list") ? { lengthOf: field } : { field };
  const comparisons = [...byField.values()].flatMap(({ requirement: { field, source }, compared = [] }) =>
    compared.map(({ is, other }) => {
      const between = { left: operand(field), is, right: operand(other) };
      return { ...between, message: describeComparison(between), ...(source === undefined ? {} : { source }) };
    }),
  );
  const asked = new Set<string | undefined>(requirements.flatMap((one) => (one.checked === false ? one.field : [])));
  const approval = placed.find(({ kind }) => kind === "approval");
  const approved = approval && { approvalSource: { file: approval.file, line: approval.line } };
  const isApproved = approval !== undefined;
  return {
    gate: {
      requirements,
      comparisons,
      examples,
      rulesHold: false,
      approval: isApproved,
      ...approved,
      isFromProse: true,
    },
    lines: lines.map((read) =>
      read.kind === "enforced" && asked.has(read.requirement?.field) ? { ...read, kind: "asked" } : read,
    ),
  };
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let number = 2;
  while (taken.has(`${name}_${number}`)) number += 1;
  return `${name}_${number}`;
}

/** Puts what two lines say of one field together; where that cannot be, it is asked in both texts. */
function both(known: Requirement, other: Requirement): Requirement {
  const texts = [...new Set([known.description, other.description])];
  const [surer, surest] = known.checked === false ? [known, other] : [other, known];
  const type = surest.type === "any" ? surer.type : surest.type;
  const rules = [...new Map([...known.rules, ...other.rules].map((rule) => [JSON.stringify(rule), rule])).values()];
  const mayBeEmpty = known.mayBeEmpty === true && other.mayBeEmpty === true;
  const { mayBeEmpty: _, ...sure } = { ...surest, ...defined({ source: known.source }) };
  const whole = { ...sure, type, rules, required: known.required || other.required, description: texts.join(" / ") };
  const isKept = (surer.type === "any" || surer.type === type) && findClash(whole) === undefined;
  return isKept ? { ...whole, ...(mayBeEmpty || type === "list" ? { mayBeEmpty } : {}) } : onlyAsked(whole);
}

/** A rule that refuses the author's own example was misread, so the requirement is only asked. */
function keepExample(requirement: Requirement, examples: JsonObject): Requirement {
  const { field, rules } = requirement;
  const plain = { ...requirement, rules: rules.some(isOutside) ? [] : rules };
  const isKept = !Object.hasOwn(examples, field) || findFieldGaps(plain, examples, new Map(), new Map()).length === 0;
  return isKept ? requirement : onlyAsked(requirement);
}
