import type { Json } from "../../workflow/json.ts";
import { type CompareOp, type Reader, readerOf, Stumble, show } from "./expression-reader.ts";
import { cutIntoTokens } from "./expression-tokens.ts";

/** An expression as a tree: read to be translated, never to be run. */
export type Node =
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "member"; readonly of: Node; readonly name: string }
  | { readonly kind: "call"; readonly callee: Node; readonly args: readonly Node[] }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "not" | "minus"; readonly of: Node }
  | { readonly kind: "sum"; readonly op: "+" | "-"; readonly left: Node; readonly right: Node }
  | { readonly kind: "compare"; readonly first: Node; readonly rest: readonly Link[] }
  | { readonly kind: "and" | "or"; readonly parts: readonly Node[] }
  | { readonly kind: "choice"; readonly then: Node; readonly condition: Node; readonly otherwise: Node };

/** One more step of a chain such as 0 <= x <= 10. */
export type Link = { readonly op: CompareOp; readonly node: Node };

/** A whole expression: the names it introduces (`lambda x: …`, `x => …`), if any, and what it says. */
export type Expression = { readonly parameters: readonly string[] | null; readonly body: Node };

/** Reads an expression in the manner of Python or JavaScript; says what it stumbles over. */
export function parseExpression(text: string): Expression | { readonly error: string } {
  if (text.length > 1_000) return { error: "it is too long" };
  const tokens = cutIntoTokens(text);
  if ("error" in tokens) return tokens;
  try {
    const reader = readerOf(tokens);
    const parameters = readParameters(reader);
    // ">= 5" is said of the value itself.
    const isBare = parameters === null && reader.peekOp() !== null;
    const subject: Node = { kind: "name", name: "x" };
    const body = isBare ? readLinks(reader, subject) : readWhole(reader);
    const left = reader.next();
    return left === undefined ? { parameters, body } : { error: `${show(left)} is not understood there` };
  } catch (error) {
    if (error instanceof Stumble) return { error: error.message };
    throw error;
  }
}

function readParameters(reader: Reader): string[] | null {
  if (reader.take("lambda")) {
    const names = readNames(reader);
    reader.need(":");
    return names;
  }
  let ahead = 0;
  while (reader.peek(ahead) !== undefined && show(reader.peek(ahead)) !== "=>") ahead += 1;
  if (reader.peek(ahead) === undefined) return null;
  const isBracketed = reader.take("(");
  const names = readNames(reader);
  if (isBracketed) reader.need(")");
  reader.need("=>");
  return names;
}

function readNames(reader: Reader): string[] {
  const names: string[] = [];
  do {
    const token = reader.next();
    if (token?.kind !== "name") throw new Stumble("a name is missing");
    names.push(token.value);
  } while (reader.take(","));
  return names;
}

/** `a if condition else b`: the loosest of all. */
function readWhole(reader: Reader): Node {
  const then = readOr(reader);
  if (!reader.take("if")) return then;
  const condition = readOr(reader);
  reader.need("else");
  return { kind: "choice", then, condition, otherwise: readWhole(reader) };
}

function readOr(reader: Reader): Node {
  const parts = [readAnd(reader)];
  while (reader.take("or")) parts.push(readAnd(reader));
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "or", parts };
}

function readAnd(reader: Reader): Node {
  const parts = [readNot(reader)];
  while (reader.take("and")) parts.push(readNot(reader));
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "and", parts };
}

function readNot(reader: Reader): Node {
  if (reader.take("not")) return { kind: "not", of: readNot(reader) };
  return readLinks(reader, readSum(reader));
}

function readLinks(reader: Reader, first: Node): Node {
  const rest: Link[] = [];
  for (let op = reader.takeOp(); op !== null; op = reader.takeOp()) rest.push({ op, node: readSum(reader) });
  if (rest.length === 0) return first;
  const compared: Node = { kind: "compare", first, rest };
  return compared;
}

function readSum(reader: Reader): Node {
  let left = readSigned(reader);
  for (;;) {
    const op = reader.take("+") ? "+" : reader.take("-") ? "-" : null;
    if (op === null) return left;
    left = { kind: "sum", op, left, right: readSigned(reader) };
  }
}

function readSigned(reader: Reader): Node {
  if (!reader.take("-")) return readMembers(reader);
  const of = readSigned(reader);
  return of.kind === "literal" && typeof of.value === "number" ? { ...of, value: -of.value } : { kind: "minus", of };
}

function readMembers(reader: Reader): Node {
  let node = readAtom(reader);
  for (;;) {
    if (reader.take(".")) {
      const token = reader.next();
      if (token?.kind !== "name") throw new Stumble("a name is missing after the dot");
      node = { kind: "member", of: node, name: token.value };
    } else if (reader.take("[")) {
      const token = reader.next();
      if (token?.kind !== "text") throw new Stumble("between [ and ] a field's name in quotes is missing");
      reader.need("]");
      node = { kind: "member", of: node, name: token.value };
    } else if (reader.take("(")) {
      node = { kind: "call", callee: node, args: readItems(reader, ")") };
    } else return node;
  }
}

function readAtom(reader: Reader): Node {
  const token = reader.next();
  if (token === undefined) throw new Stumble("it ends too soon");
  if (token.kind === "number" || token.kind === "text") return { kind: "literal", value: token.value };
  if (token.kind === "name") return constants.get(token.value) ?? { kind: "name", name: token.value };
  if (token.value === "[") return { kind: "list", items: readItems(reader, "]") };
  if (token.value === "{") return { kind: "list", items: readItems(reader, "}") };
  if (token.value !== "(") throw new Stumble(`${show(token)} is not understood there`);
  const items = readItems(reader, ")");
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : { kind: "list", items };
}

function readItems(reader: Reader, end: string): Node[] {
  const items: Node[] = [];
  while (!reader.take(end)) {
    if (items.length > 0) reader.need(",");
    if (reader.take(end)) break;
    items.push(readWhole(reader));
  }
  return items;
}

const literal = (value: Json): Node => ({ kind: "literal", value });
const constants: ReadonlyMap<string, Node> = new Map([
  ...["True", "true", "TRUE"].map((name) => [name, literal(true)] as const),
  ...["False", "false", "FALSE"].map((name) => [name, literal(false)] as const),
  ...["None", "null", "undefined"].map((name) => [name, literal(null)] as const),
]);
