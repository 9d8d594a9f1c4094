import type { EvidenceRule, EvidenceType } from "../../workflow/gate.ts";
import type { Json, JsonObject } from "../../workflow/json.ts";
import { type Node, parseExpression } from "./expression.ts";
import { callRules, escaped, lengthNode, type Subject, unwrap } from "./expression-calls.ts";
import type { CompareOp } from "./expression-reader.ts";
import { allOf, type ValidatorRead } from "./validator-read.ts";

/** What an expression is about: a field and its type, and the values of its other parameters. */
export type About = { readonly type: EvidenceType; readonly field?: string; readonly params?: JsonObject };

/** Translates an expression about one value (`lambda x: x > 0`) into rules; nothing of it is ever run. */
export function rulesFromExpression(text: string, { type, field, params = {} }: About): ValidatorRead {
  const read = parseExpression(text);
  if ("error" in read) return { unusable: read.error };
  const { parameters, body } = read;
  const [subject, ...others] = parameters ?? [];
  const names = subject === undefined ? [...usualNames, ...(field === undefined ? [] : [field])] : [subject];
  const unbound = others.find((name) => !Object.hasOwn(params, name));
  if (unbound !== undefined) return { unusable: `nothing says what ${unbound} is; name it in validator_params` };
  const about: Subject = { names, type, params: subject === undefined ? params : pick(params, others) };
  const translated = translate(body, about);
  return "unusable" in translated ? translated : { ...translated, translated: true };
}

const usualNames = ["x", "v", "val", "value", "it", "field", "field_value"];

function pick(params: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)));
}

function translate(node: Node, about: Subject): ValidatorRead {
  const { type } = about;
  switch (node.kind) {
    case "and":
      return allOf(node.parts.map((part) => translate(part, about)));
    case "or":
      return either(node.parts, about);
    case "not":
      if (unwrap(node.of, about)?.what === "value" && type === "boolean")
        return { rules: [{ kind: "equals", value: false }] };
      return { unusable: "not is understood only of a boolean" };
    case "choice":
      return chosen(node, about);
    case "compare": {
      const nodes = [node.first, ...node.rest.map((link) => link.node)];
      return allOf(
        node.rest.map(({ op }, at) => compare(nodes[at] ?? node.first, op, nodes[at + 1] ?? node.first, about)),
      );
    }
    case "literal":
      return node.value === true
        ? { rules: [], mayBeEmpty: true }
        : { unusable: `${JSON.stringify(node.value)} is no rule` };
    default:
      return truthy(node, about);
  }
}

/** A value or a call that stands alone: it must be true, or not empty. */
function truthy(node: Node, about: Subject): ValidatorRead {
  const called = node.kind === "call" ? callRules(node, about) : undefined;
  if (called !== undefined) return called;
  const found = unwrap(node, about);
  if (found?.what === "length") return { rules: [{ kind: "length_at_least", limit: 1 }] };
  if (found?.what !== "value") return { unusable: `${nameOf(node)} is not understood` };
  if (about.type === "boolean") return { rules: [{ kind: "equals", value: true }] };
  if (about.type === "integer" || about.type === "number") return { rules: [{ kind: "differs_from", value: 0 }] };
  return { rules: [{ kind: "length_at_least", limit: 1 }] };
}

/** One of several: understood where each names values, or says only that nothing will do as well. */
function either(parts: readonly Node[], about: Subject): ValidatorRead {
  const reads = parts.filter((part) => !isNoneCheck(part, about)).map((part) => translate(part, about));
  const [only] = reads;
  if (reads.length === 1 && only !== undefined) return only;
  const values: Json[] = [];
  for (const read of reads) {
    if ("unusable" in read) return read;
    const [rule, ...more] = read.rules;
    if (more.length > 0 || (rule?.kind !== "equals" && rule?.kind !== "one_of"))
      return { unusable: "or is understood only between values that are named" };
    values.push(...("values" in rule ? rule.values : [rule.value]));
  }
  return { rules: [{ kind: "one_of", values }] };
}

/** `x is None or …`: what is left out is judged by whether the field is required. */
function isNoneCheck(node: Node, about: Subject): boolean {
  if (node.kind !== "compare" || node.rest.length !== 1) return false;
  const [link] = node.rest;
  return (
    (link?.op === "is" || link?.op === "==") &&
    constantOf(link.node, about) === null &&
    unwrap(node.first, about) !== undefined
  );
}

/** `a if isinstance(x, int) else b`: the field's type is known, so one of the two is meant. */
function chosen({ then, condition, otherwise }: Extract<Node, { kind: "choice" }>, about: Subject): ValidatorRead {
  const isTypeCheck =
    condition.kind === "call" && condition.callee.kind === "name" && condition.callee.name === "isinstance";
  if (!isTypeCheck) return { unusable: "if is understood only of isinstance" };
  const read = callRules(condition, about);
  // A number may be whole or not: which of the two is meant is not known before it is there.
  if (read === undefined || ("unusable" in read && about.type === "number"))
    return { unusable: "if is understood only of the value's own type" };
  return translate("unusable" in read ? otherwise : then, about);
}

function compare(left: Node, op: CompareOp, right: Node, about: Subject): ValidatorRead {
  const leftIs = unwrap(left, about);
  const rightIs = unwrap(right, about);
  if (leftIs !== undefined && rightIs === undefined) {
    const values = valuesOf(right, about);
    if (op === "in" || op === "not in") return among(leftIs, op, values);
    const value = constantOf(right, about);
    if (value === undefined) return { unusable: `${nameOf(right)} is no value` };
    return leftIs.what === "length" ? lengthIs(op, value) : valueIs(op, value, leftIs.ignoreCase);
  }
  const constant = constantOf(left, about);
  if (rightIs?.what === "value" && op === "in" && typeof constant === "string")
    return { rules: [{ kind: "contains", text: constant }] };
  const mirrored = mirror.get(op);
  if (rightIs !== undefined && leftIs === undefined && mirrored !== undefined)
    return compare(right, mirrored, left, about);
  if (left.kind === "call" && op === "is not" && constantOf(right, about) === null) return truthy(left, about);
  return { unusable: `${nameOf(leftIs === undefined ? left : right)} is not understood here` };
}

const mirror = new Map<CompareOp, CompareOp>([
  ["==", "=="],
  ["!=", "!="],
  ["<", ">"],
  ["<=", ">="],
  [">", "<"],
  [">=", "<="],
]);

function valueIs(op: CompareOp, value: Json, ignoreCase: boolean): ValidatorRead {
  if (value === null) {
    const isAsked = op === "!=" || op === "is not";
    return isAsked ? { rules: [] } : { unusable: "that a value is not there cannot be asked for" };
  }
  if (op === "==" || op === "is") return { rules: [ignoreCase ? anyCase([value]) : { kind: "equals", value }] };
  if (op === "!=" || op === "is not") {
    const isEmpty = value === "" || (Array.isArray(value) && value.length === 0);
    if (ignoreCase) return { unusable: "lower and upper are understood only with == and in" };
    return { rules: [isEmpty ? { kind: "length_at_least", limit: 1 } : { kind: "differs_from", value }] };
  }
  const kind = bounds.get(op);
  if (kind === undefined || typeof value !== "number") return { unusable: `${op} needs a number` };
  return { rules: [{ kind, limit: value }] };
}

const bounds = new Map<CompareOp, "at_least" | "more_than" | "at_most" | "less_than">([
  [">=", "at_least"],
  [">", "more_than"],
  ["<=", "at_most"],
  ["<", "less_than"],
]);

function lengthIs(op: CompareOp, value: Json): ValidatorRead {
  return typeof value === "number" ? lengthNode(op, value) : { unusable: "a length is compared with a number" };
}

function among(
  { what, ignoreCase }: { what: "value" | "length"; ignoreCase: boolean },
  op: "in" | "not in",
  values: readonly Json[] | undefined,
): ValidatorRead {
  if (values === undefined || values.length === 0) return { unusable: `${op} needs a list of values` };
  if (what === "length") return { unusable: `${op} is not understood of a length` };
  if (op === "in") return { rules: [ignoreCase ? anyCase(values) : { kind: "one_of", values }] };
  return ignoreCase
    ? { unusable: "lower and upper are understood only with == and in" }
    : { rules: values.map((value) => ({ kind: "differs_from", value })) };
}

function anyCase(values: readonly Json[]): EvidenceRule {
  const texts = values.map((value) => escaped(String(value)));
  return { kind: "matches", pattern: `^(?:${texts.join("|")})$`, flags: "i" };
}

function valuesOf(node: Node, about: Subject): readonly Json[] | undefined {
  if (node.kind === "list") {
    const values = node.items.map((item) => constantOf(item, about));
    return values.every((value) => value !== undefined) ? values : undefined;
  }
  const value = constantOf(node, about);
  return Array.isArray(value) ? value : undefined;
}

function constantOf(node: Node, { params }: Subject): Json | undefined {
  if (node.kind === "literal") return node.value;
  if (node.kind === "list" && node.items.length === 0) return [];
  return node.kind === "name" && Object.hasOwn(params, node.name) ? params[node.name] : undefined;
}

function nameOf(node: Node): string {
  if (node.kind === "name") return node.name;
  if (node.kind === "member") return `${nameOf(node.of)}.${node.name}`;
  if (node.kind === "call") return `${nameOf(node.callee)}()`;
  return node.kind === "literal" ? JSON.stringify(node.value) : "a part of it";
}
