import type { EvidenceType } from "../../workflow/gate.ts";
import type { JsonObject } from "../../workflow/json.ts";
import type { Node } from "./expression.ts";
import type { CompareOp } from "./expression-reader.ts";
import { evidenceTypeOf } from "./type-names.ts";
import type { ValidatorRead } from "./validator-read.ts";

/** What an expression may speak of: the value, by any of its names, and parameters with a value of their own. */
export type Subject = { readonly names: readonly string[]; readonly type: EvidenceType; readonly params: JsonObject };

/** Understands a call that asks something of the value: its type, a pattern, a file. Undefined where it is none of these. */
export function callRules(call: Extract<Node, { kind: "call" }>, about: Subject): ValidatorRead | undefined {
  const name = dotted(call.callee);
  const [first, second] = call.args;
  const isValue = (node: Node | undefined): boolean => node !== undefined && unwrap(node, about)?.what === "value";
  if (name === "isinstance") return isValue(first) && second !== undefined ? typeAsked(second, about) : undefined;
  if (name !== undefined && patterns.has(name) && isValue(second)) return patternAsked(patterns.get(name) ?? "", first);
  if (name !== undefined && files.has(name) && isValue(first)) return fileAsked(files.get(name));
  if (call.callee.kind !== "member") return undefined;
  const { of, name: method } = call.callee;
  const inner = of.kind === "call" && dotted(of.callee) === "Path" && isValue(of.args[0]);
  if (inner) return fileAsked(pathMethods.get(method));
  if (!isValue(of) || first?.kind !== "literal" || typeof first.value !== "string") return undefined;
  const text = escaped(first.value);
  if (/^starts_?with$/i.test(method)) return { rules: [{ kind: "matches", pattern: `^${text}`, flags: "" }] };
  if (/^ends_?with$/i.test(method)) return { rules: [{ kind: "matches", pattern: `${text}$`, flags: "" }] };
  return method === "includes" ? { rules: [{ kind: "contains", text: first.value }] } : undefined;
}

/** Finds the value, or its length, behind what an expression wraps it in. */
export function unwrap(
  node: Node,
  about: Subject,
): { readonly what: "value" | "length"; readonly ignoreCase: boolean } | undefined {
  if (node.kind === "name") return about.names.includes(node.name) ? { what: "value", ignoreCase: false } : undefined;
  if (node.kind === "member" && ["length", "size"].includes(node.name)) return lengthIn(node.of, about);
  if (node.kind !== "call") return undefined;
  const { callee, args } = node;
  const [only] = args;
  if (callee.kind === "name" && args.length === 1 && only !== undefined) {
    if (["len", "length", "count", "size"].includes(callee.name)) return lengthIn(only, about);
    return callee.name === "bool" ? unwrap(only, about) : undefined;
  }
  if (callee.kind !== "member" || args.length > 0) return undefined;
  // A blank text has no length, so that trimming it changes nothing.
  if (["strip", "trim"].includes(callee.name)) return unwrap(callee.of, about);
  const inner = unwrap(callee.of, about);
  const isCase = ["lower", "upper", "casefold", "toLowerCase", "toUpperCase"].includes(callee.name);
  return isCase && inner?.what === "value" ? { what: "value", ignoreCase: true } : undefined;
}

function lengthIn(node: Node, about: Subject): { readonly what: "length"; readonly ignoreCase: false } | undefined {
  return unwrap(node, about)?.what === "value" ? { what: "length", ignoreCase: false } : undefined;
}

/** A text as a pattern that matches it and nothing else. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

/** Says of a length what an operator says of a number. */
export function lengthNode(op: CompareOp, limit: number): ValidatorRead {
  if (!Number.isInteger(limit) || limit < 0) return { unusable: "a length is a whole number" };
  switch (op) {
    case ">=":
      return atLeast(limit);
    case ">":
      return atLeast(limit + 1);
    case "<=":
      return { rules: [{ kind: "length_at_most", limit }] };
    case "<":
      return limit === 0
        ? { unusable: "no length is less than 0" }
        : { rules: [{ kind: "length_at_most", limit: limit - 1 }] };
    case "==":
      return {
        rules: [
          { kind: "length_at_least", limit },
          { kind: "length_at_most", limit },
        ],
        ...(limit === 0 ? { mayBeEmpty: true } : {}),
      };
    case "!=":
      return limit === 0 ? atLeast(1) : { unusable: "!= is understood of a length only with 0" };
    default:
      return { unusable: `${op} is not understood of a length` };
  }
}

function atLeast(limit: number): ValidatorRead {
  return limit === 0 ? { rules: [], mayBeEmpty: true } : { rules: [{ kind: "length_at_least", limit }] };
}

function typeAsked(node: Node, { type }: Subject): ValidatorRead {
  const nodes = node.kind === "list" ? node.items : [node];
  const types = nodes.map((one) => (one.kind === "name" ? evidenceTypeOf(one.name) : undefined));
  if (types.includes(undefined)) return { unusable: "isinstance names a type that is not known" };
  const fits = types.includes(type) || (type === "integer" && types.includes("number"));
  if (!fits) return { unusable: `isinstance asks for another type than ${type}` };
  // Whoever asks only that it be a boolean takes a false one.
  return { rules: type === "boolean" ? [{ kind: "one_of", values: [true, false] }] : [] };
}

const patterns = new Map([
  ["re.match", "^(?:*)"],
  ["re.search", "*"],
  ["re.fullmatch", "^(?:*)$"],
]);

function patternAsked(frame: string, node: Node | undefined): ValidatorRead {
  if (node?.kind !== "literal" || typeof node.value !== "string") return { unusable: "a pattern is a text in quotes" };
  const [before = "", after = ""] = frame.split("*");
  return { rules: [{ kind: "matches", pattern: `${before}${node.value}${after}`, flags: "" }] };
}

const files = new Map<string, "file_exists" | "directory_exists">([
  ["os.path.exists", "file_exists"],
  ["os.path.isfile", "file_exists"],
  ["os.path.isdir", "directory_exists"],
  ["file_exists", "file_exists"],
  ["directory_exists", "directory_exists"],
]);
const pathMethods = new Map<string, "file_exists" | "directory_exists">([
  ["exists", "file_exists"],
  ["is_file", "file_exists"],
  ["is_dir", "directory_exists"],
]);

function fileAsked(kind: "file_exists" | "directory_exists" | undefined): ValidatorRead | undefined {
  return kind === undefined ? undefined : { rules: [{ kind }] };
}

function dotted(node: Node): string | undefined {
  if (node.kind === "name") return node.name;
  if (node.kind !== "member") return undefined;
  const of = dotted(node.of);
  return of === undefined ? undefined : `${of}.${node.name}`;
}
