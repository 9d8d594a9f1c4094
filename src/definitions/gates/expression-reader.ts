import type { Token } from "./expression-tokens.ts";

/** The signs that compare. */
export type CompareOp = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" | "is" | "is not";

/** What the reading of an expression stumbles over. */
export class Stumble extends Error {}

/** Goes through the pieces of an expression, one after the other. */
export type Reader = {
  peek(ahead?: number): Token | undefined;
  next(): Token | undefined;
  /** Takes a sign if it stands there. */
  take(sign: string): boolean;
  need(sign: string): void;
  peekOp(): CompareOp | null;
  takeOp(): CompareOp | null;
};

/** Makes a reader that stands before the first piece. */
export function readerOf(tokens: readonly Token[]): Reader {
  let at = 0;
  const isSign = (sign: string, ahead = 0): boolean => {
    const token = tokens[at + ahead];
    return token?.kind === "sign" && token.value === sign;
  };
  const opAt = (): { op: CompareOp; length: number } | null => {
    if (isSign("not") && isSign("in", 1)) return { op: "not in", length: 2 };
    if (isSign("is") && isSign("not", 1)) return { op: "is not", length: 2 };
    const op = (["==", "!=", "<=", ">=", "<", ">", "in", "is"] as const).find((sign) => isSign(sign));
    return op === undefined ? null : { op, length: 1 };
  };
  const reader: Reader = {
    peek: (ahead = 0) => tokens[at + ahead],
    next: () => tokens[at++],
    take(sign) {
      if (!isSign(sign)) return false;
      at += 1;
      return true;
    },
    need(sign) {
      if (!reader.take(sign)) throw new Stumble(`${sign} is missing`);
    },
    peekOp: () => opAt()?.op ?? null,
    takeOp() {
      const found = opAt();
      at += found?.length ?? 0;
      return found?.op ?? null;
    },
  };
  return reader;
}

/** A piece as it was written. */
export function show(token: Token | undefined): string {
  return token === undefined ? "" : token.kind === "text" ? JSON.stringify(token.value) : String(token.value);
}
