import { glue, hedges, isBoundary, ruleLabels, typeAt, typeLabels } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** A rule begins its clause: only words that join, or the type, may stand before it. */
export function isLead(tokens: readonly Token[], begin: number, at: number): boolean {
  for (let index = begin; index < at; index++) {
    const type = typeAt(tokens, index);
    if (type !== undefined && type.end <= at) index = type.end - 1;
    else if (!glue.has(tokens[index]?.word ?? "")) return false;
  }
  return true;
}

/**
 * Tells whether a clause can be about the field itself, by what it hangs on. Behind a colon, that is the label ("decimals: at
 * most 2" is not about the field); behind a bracket, what stands in it ("(length) > 2"); inside one or behind a dash, the clause
 * before it, where that is not the first.
 */
export function isOfField(tokens: readonly Token[], begin: number, spent: ReadonlySet<number>): boolean {
  const tie = begin - 1;
  const text = tokens[tie]?.text ?? "";
  if (")]}".includes(text) && text !== "") return isHeard(tokens, openingOf(tokens, tie) + 1, tie, spent);
  if (tokens[tie]?.kind !== "stop" || [",", ";", ".", "…"].includes(text)) return true;
  const host = beginOf(tokens, tie);
  const isFirst = !":!?".includes(text) && tokens.slice(0, host).every(({ kind }) => kind === "stop");
  return isFirst || isHeard(tokens, host, tie, spent);
}

/** Tells whether a stretch of words is understood: nothing, a label, rules that were read, or the type with what it is of. */
export function isHeard(tokens: readonly Token[], from: number, to: number, spent: ReadonlySet<number>): boolean {
  const words = tokens.slice(from, to);
  if (words.some(({ word }) => hedges.has(word))) return false;
  const at = words.findIndex(
    ({ kind, word }, index) =>
      !spent.has(from + index) &&
      kind !== "stop" &&
      !glue.has(word) &&
      !(words.length === 1 && (ruleLabels.has(word) || typeLabels.has(word))),
  );
  return at === -1 || typeAt(words, at) !== undefined;
}

/** Where the clause that a token stands in begins. */
export function beginOf(tokens: readonly Token[], at: number): number {
  return tokens.slice(0, at).findLastIndex(isBoundary) + 1;
}

/** Where the bracket that opens at a token closes. */
export function closingOf(tokens: readonly Token[], at: number): number {
  const end = tokens.findIndex(({ kind, text }, index) => index > at && kind === "stop" && ")]}".includes(text));
  return end === -1 ? tokens.length : end;
}

function openingOf(tokens: readonly Token[], at: number): number {
  return tokens.slice(0, at).findLastIndex(isOpening);
}

/** Tells whether a token opens a bracket. */
export function isOpening(token: Token | undefined): boolean {
  return token?.kind === "stop" && "([{".includes(token.text);
}
