import { describeComparison } from "../../workflow/evidence-words.ts";
import type { Comparison, EvidenceType, Operand } from "../../workflow/gate.ts";
import type { Json } from "../../workflow/json.ts";
import { type Node, parseExpression } from "./expression.ts";
import type { CompareOp } from "./expression-reader.ts";

/** A demand on several fields as data; or why the gate must stay closed. */
export type ComparisonsRead = { readonly comparisons: readonly Bare[] } | { readonly unusable: string };

type Bare = Omit<Comparison, "message" | "source">;

/** The fields that a comparison may name, with their types. */
export type Fields = ReadonlyMap<string, EvidenceType>;

/** Translates an expression about several fields (`a >= b`, `lambda e: e['a'] == len(e['b'])`); nothing of it is ever run. */
export function comparisonsFromExpression(text: string, fields: Fields): ComparisonsRead {
  const read = parseExpression(text);
  if ("error" in read) return { unusable: read.error };
  try {
    const roots = read.parameters ?? usualRoots.filter((name) => !fields.has(name));
    return { comparisons: comparisonsIn(read.body, { fields, roots }) };
  } catch (error) {
    if (error instanceof NotUnderstood) return { unusable: error.message };
    throw error;
  }
}

class NotUnderstood extends Error {}

const usualRoots = ["evidence", "e", "ev", "data", "fields", "values", "self"];

type Known = { readonly fields: Fields; readonly roots: readonly string[] };

function comparisonsIn(node: Node, known: Known): Bare[] {
  if (node.kind === "and") return node.parts.flatMap((part) => comparisonsIn(part, known));
  if (node.kind === "compare") {
    const nodes = [node.first, ...node.rest.map((link) => link.node)];
    return node.rest.map(({ op }, at) => comparisonOf(nodes[at], op, nodes[at + 1], known));
  }
  if (node.kind === "or" || node.kind === "choice")
    throw new NotUnderstood(`${node.kind === "or" ? "or" : "if"} is not understood between fields`);
  const isDenied = node.kind === "not";
  const { operand, type } = termOf(isDenied ? node.of : node, known);
  if (type !== "boolean") throw new NotUnderstood("it compares nothing");
  return [{ left: operand, is: "equal_to", right: { value: !isDenied } }];
}

const relations = new Map<CompareOp, Comparison["is"]>([
  ["==", "equal_to"],
  ["is", "equal_to"],
  ["!=", "different_from"],
  ["is not", "different_from"],
  [">=", "at_least"],
  [">", "more_than"],
  ["<=", "at_most"],
  ["<", "less_than"],
]);

/** What is taken away on one side is added on the other: there are only sums. */
function comparisonOf(leftNode: Node | undefined, op: CompareOp, rightNode: Node | undefined, known: Known): Bare {
  const is = relations.get(op);
  if (is === undefined || leftNode === undefined || rightNode === undefined)
    throw new NotUnderstood(`${op} is not understood between fields`);
  const left = sidesOf(leftNode, known);
  const right = sidesOf(rightNode, known);
  const types = [...left.plus, ...left.minus, ...right.plus, ...right.minus].map(({ type }) => type);
  const isOrder = is !== "equal_to" && is !== "different_from";
  const isSum = types.length > 2;
  const odd = types.find((type) => (isOrder || isSum ? type !== "number" : type !== types[0]));
  if (odd !== undefined) throw new NotUnderstood(`a ${odd} cannot be compared in this way`);
  const bare = { left: together([...left.plus, ...right.minus]), is, right: together([...right.plus, ...left.minus]) };
  if (!describesField(bare.left) && !describesField(bare.right)) throw new NotUnderstood("it names no field");
  return bare;
}

type Kind = "number" | "string" | "boolean";
type Term = { readonly operand: Operand; readonly type: Kind };
type Sides = { readonly plus: readonly Term[]; readonly minus: readonly Term[] };

function sidesOf(node: Node, known: Known): Sides {
  if (node.kind === "minus") return flip(sidesOf(node.of, known));
  if (node.kind !== "sum") {
    const isTotal = node.kind === "call" && node.callee.kind === "name" && node.callee.name === "sum";
    const [only] = isTotal ? node.args : [];
    if (only?.kind !== "list") return { plus: [termOf(node, known)], minus: [] };
    return { plus: only.items.map((item) => termOf(item, known)), minus: [] };
  }
  const left = sidesOf(node.left, known);
  const right = node.op === "+" ? sidesOf(node.right, known) : flip(sidesOf(node.right, known));
  return { plus: [...left.plus, ...right.plus], minus: [...left.minus, ...right.minus] };
}

const flip = ({ plus, minus }: Sides): Sides => ({ plus: minus, minus: plus });

function together(terms: readonly Term[]): Operand {
  const [only] = terms;
  if (only === undefined) return { value: 0 };
  return terms.length === 1 ? only.operand : { sum: terms.map(({ operand }) => operand) };
}

function describesField(operand: Operand): boolean {
  return "sum" in operand ? operand.sum.some(describesField) : !("value" in operand);
}

function termOf(node: Node, known: Known): Term {
  if (node.kind === "literal") return { operand: { value: node.value }, type: kindOf(node.value) };
  const counted = countedNode(node);
  const field = fieldOf(counted ?? node, known);
  if (field === undefined) throw new NotUnderstood("a part of it is neither a field nor a value");
  const type = known.fields.get(field);
  if (type === undefined) throw new NotUnderstood(`it names the field ${field}, which evidence_schema does not have`);
  const isScalar = type !== "list" && type !== "object";
  if (counted !== undefined) {
    if (type !== "string" && isScalar) throw new NotUnderstood(`${field} is a ${type} and has no length`);
    return { operand: { lengthOf: field }, type: "number" };
  }
  if (!isScalar) throw new NotUnderstood(`${field} is a ${type}; compare its length: len(${field})`);
  return { operand: { field }, type: type === "integer" ? "number" : type };
}

function kindOf(value: Json): Kind {
  if (typeof value === "number" || typeof value === "string" || typeof value === "boolean")
    return typeof value === "number" ? "number" : typeof value === "string" ? "string" : "boolean";
  throw new NotUnderstood(`${JSON.stringify(value)} is nothing to compare with`);
}

/** What stands in len(…), or before .length. */
function countedNode(node: Node): Node | undefined {
  if (node.kind === "member" && node.name === "length") return node.of;
  if (node.kind !== "call" || node.callee.kind !== "name" || node.args.length !== 1) return undefined;
  return ["len", "length", "count"].includes(node.callee.name) ? node.args[0] : undefined;
}

/** The field behind a, evidence.a, e['a'] and e.get('a', 0). A default counts for nothing: what is left out is not there. */
function fieldOf(node: Node, { fields, roots }: Known): string | undefined {
  const isRoot = (one: Node): boolean => one.kind === "name" && roots.includes(one.name);
  if (node.kind === "name") return roots.includes(node.name) ? undefined : node.name;
  if (node.kind === "member") return isRoot(node.of) ? node.name : undefined;
  if (node.kind !== "call" || node.callee.kind !== "member" || node.callee.name !== "get") return undefined;
  const [first] = node.args;
  const name = first?.kind === "literal" && typeof first.value === "string" ? first.value : undefined;
  return isRoot(node.callee.of) && !fields.has("get") ? name : undefined;
}

/** What a comparison says where its author has left it unsaid. */
export function messageOf(comparison: Bare, message: string): string {
  const words = message.replace(/\s+/g, " ").trim();
  return words === "" ? describeComparison(comparison) : words;
}
