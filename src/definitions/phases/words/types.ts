import type { EvidenceType } from "../../../evidence/gate.ts";
import { formAt } from "./forms.ts";
import { glue, hedges, isBoundary, joints, typeAt } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** What the words about a field say of its type: one, none, or more than one. */
export type TypeRead = { readonly type?: EvidenceType; readonly unclear?: string };

/** Finds the type in the words about a field: the head of the first phrase, or a clause that begins with it. */
export function typeIn(tokens: readonly Token[]): TypeRead {
  const found: EvidenceType[] = [];
  for (const clause of clausesOf(tokens)) {
    const read = headOf(clause);
    if (read.unclear !== undefined) return read;
    if (read.type !== undefined) found.push(read.type);
  }
  const types = [...new Set(found)];
  const isNumeric = types.length === 2 && types.includes("integer") && types.includes("number");
  if (types.length > 1 && !isNumeric) return { unclear: `says both ${types.join(" and ")}` };
  const type = isNumeric ? "integer" : types[0];
  return type === undefined ? {} : { type };
}

function clausesOf(tokens: readonly Token[]): Token[][] {
  const clauses: Token[][] = [[]];
  for (const token of tokens) {
    if (isBoundary(token)) clauses.push([]);
    else clauses.at(-1)?.push(token);
  }
  return clauses.filter((clause) => clause.length > 0);
}

/** "the list of events", "a non-empty text", "true/false flag": the type is the last word of the phrase, or a part of speech follows it. */
function headOf(clause: readonly Token[]): TypeRead {
  if (clause.some(({ word }) => hedges.has(word))) return {};
  let at = clause.findIndex(({ word }) => !glue.has(word));
  // "in percent" and "number of" begin with words that join others.
  const early = clause
    .map((_, index) => typeAt(clause, index))
    .find((one, index) => one !== undefined && one.end - index === 2);
  if (early !== undefined) {
    const isMeasured =
      early.type === "integer" && clause[early.end - 1]?.word === "of" && formAt(clause, early.end, () => false);
    return { type: isMeasured ? "number" : early.type };
  }
  let type: EvidenceType | undefined;
  let after: Token | undefined;
  for (; at >= 0 && at < clause.length; at++) {
    const token = clause[at];
    const here = typeAt(clause, at);
    if (here !== undefined) {
      type = here.type;
      after = undefined;
      if (token?.word === "whether") break;
      at = here.end - 1;
    } else if (token === undefined || joints.has(token.word) || token.kind !== "word" || isForm(clause, at)) break;
    else if (type !== undefined && !isParticiple(token.word)) after ??= token;
  }
  if (type === undefined) return {};
  return after === undefined
    ? { type }
    : { unclear: `may mean ${type} or not: "${clause.map(({ text }) => text).join(" ")}"` };
}

function isForm(clause: readonly Token[], at: number): boolean {
  const found = formAt(clause, at, () => false);
  return found !== undefined || ["must", "not", "no", "may"].includes(clause[at]?.word ?? "");
}

function isParticiple(word: string): boolean {
  return word.endsWith("ed") || word.endsWith("ing") || word.endsWith("ly") || word.endsWith("en");
}
