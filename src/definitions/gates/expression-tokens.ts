/** A piece of an expression. A sign is an operator, a bracket or a word of the grammar. */
export type Token =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "name" | "sign"; readonly value: string };

/** Cuts an expression into pieces; says what stands there that no piece begins with. */
export function cutIntoTokens(text: string): readonly Token[] | { readonly error: string } {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const rest = text.slice(at);
    const space = /^\s+/.exec(rest);
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    const piece = tokenAt(rest);
    if (piece === undefined) return { error: `${JSON.stringify(rest.slice(0, 12))} is not understood` };
    tokens.push(piece.token);
    at += piece.length;
    if (tokens.length > mostTokens) return { error: "it is too long" };
  }
  return tokens;
}

const mostTokens = 200;

const signs = /^(?:===|!==|==|!=|<=|>=|=>|&&|\|\||[-+*/%<>()[\]{},.:!=])/;
const otherSpellings = new Map([
  ["===", "=="],
  ["!==", "!="],
  ["&&", "and"],
  ["||", "or"],
  ["!", "not"],
  ["≥", ">="],
  ["≤", "<="],
  ["≠", "!="],
]);
const words = ["and", "or", "not", "in", "is", "if", "else", "lambda", "for"];

type Piece = { readonly token: Token; readonly length: number };

function tokenAt(rest: string): Piece | undefined {
  const number = /^(?:\d+(?:_\d+)*)?\.?\d+(?:e[+-]?\d+)?%?(?![\w.])/i.exec(rest)?.[0];
  if (number !== undefined) {
    const value = Number(number.replace(/[_%]/g, ""));
    return Number.isFinite(value) ? { token: { kind: "number", value }, length: number.length } : undefined;
  }
  const quoted = /^(r?)(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")/s.exec(rest);
  if (quoted !== null) {
    const [whole, raw, single, double] = quoted;
    const inner = single ?? double ?? "";
    return { token: { kind: "text", value: raw === "r" ? inner : withoutEscapes(inner) }, length: whole.length };
  }
  const name = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(rest)?.[0];
  if (name !== undefined) {
    const isWord = words.includes(name.toLowerCase()) && (name === name.toLowerCase() || name === name.toUpperCase());
    const token: Token = isWord ? { kind: "sign", value: name.toLowerCase() } : { kind: "name", value: name };
    return { token, length: name.length };
  }
  const sign = signs.exec(rest)?.[0] ?? /^[≥≤≠]/u.exec(rest)?.[0];
  if (sign === undefined) return undefined;
  return { token: { kind: "sign", value: otherSpellings.get(sign) ?? sign }, length: sign.length };
}

/** What cannot mean anything else than itself; a backslash before anything else stays, as in a pattern. */
function withoutEscapes(text: string): string {
  return text.replace(/\\(["'\\nt])/g, (_, char: string) => (char === "n" ? "\n" : char === "t" ? "\t" : char));
}
