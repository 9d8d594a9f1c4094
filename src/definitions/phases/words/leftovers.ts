import type { EvidenceType } from "../../../evidence/gate.ts";
import { formAt } from "./forms.ts";
import { beginOf, closingOf, isHeard, isLead, isOpening } from "./hosts.ts";
import { glue, hedges, isAlarming, isBoundary, ruleLabels, typeAt, typeLabels } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** What the clauses about a field have left: which words are read, and where each limit ends. */
export type Read = {
  readonly tokens: readonly Token[];
  readonly spent: ReadonlySet<number>;
  readonly limits: readonly number[];
  readonly type: EvidenceType | undefined;
  isField(name: string): boolean;
};

/** The first word that cannot be passed over, because it may be half of a rule; -1 where all else is plain description. */
export function findOdd(read: Read): number {
  const { tokens, spent, limits } = read;
  // What stands in brackets right behind a limit says more of it: "at least 3 (million)".
  const unheard = limits.find((at) => isOpening(tokens[at]) && !isHeard(tokens, at + 1, closingOf(tokens, at), spent));
  if (unheard !== undefined) return unheard + 1;
  return tokens.findIndex((token, at) => isLoneHedge(tokens, at) || (!spent.has(at) && isOdd(token, at, read)));
}

/** A left-over word that may be half of a rule; a value alone in its clause; words that may be a choice. */
function isOdd(token: Token, at: number, read: Read): boolean {
  const { tokens, spent, type } = read;
  if (isAlarming(token, tokens[at - 1], type, tokens[at - 2])) return true;
  if (isUnheardLabel(token, at, read) || isHalfRule(at, read)) return true;
  const isAlone = isEdge(tokens[at - 1]) && isEdge(tokens[at + 1]);
  // "yes/no" alone in its clause is a choice, and which values it means nobody knows.
  if (token.kind === "word" && token.word.includes("/")) return isAlone && typeAt(tokens, at) === undefined;
  const isName = token.kind === "word" && token.word.includes("_");
  if ((token.kind === "code" && typeAt(tokens, at) === undefined) || token.kind === "quoted" || isName)
    return isAlone && at > 0;
  // "low, medium, high" may be a choice, or not.
  const isOne = (index: number): boolean => !spent.has(index) && isPlainWord(tokens, index);
  if (isOne(at) && tokens[at + 1]?.text === "," && isOne(at + 2)) return true;
  const isChoice =
    token.word === "or" && isEdge(tokens[at - 2]) && isEdge(tokens[at + 2]) && tokens[at + 1] !== undefined;
  return isChoice && at > 0 && !isEdge(tokens[at - 1]);
}

/** "at least 5, ideally": what the hedge takes back is not clear. */
function isLoneHedge(tokens: readonly Token[], at: number): boolean {
  return (
    hedges.has(tokens[at]?.word ?? "") && isEnd(tokens[at - 1]) && isEnd(tokens[at + 1]) && tokens[at + 1]?.text !== ":"
  );
}

/** "validator: semver", "type: banana": what follows such a label is a rule or a type that is known. */
function isUnheardLabel({ word }: Token, at: number, { tokens, spent }: Read): boolean {
  const isRule = ruleLabels.has(word);
  if ((!isRule && !typeLabels.has(word)) || tokens[at + 1]?.text !== ":" || !isEnd(tokens[at - 1])) return false;
  const begin = at + 2;
  const stop = tokens.findIndex((token, index) => index >= begin && isBoundary(token));
  const end = stop === -1 ? tokens.length : stop;
  const isKnown = (_: Token, index: number): boolean =>
    spent.has(begin + index) || (!isRule && typeAt(tokens, begin + index) !== undefined);
  return end > begin && !tokens.slice(begin, end).some(isKnown);
}

/** What is half of a rule though its words are plain: a text that is a field, and in a yes a rule about a value, or what it must be. */
function isHalfRule(at: number, { tokens, type, isField }: Read): boolean {
  const found = formAt(tokens, at, isField);
  if (found?.field !== undefined) return true;
  if (type !== "boolean") return false;
  const [word, next, then] = [at, at + 1, at + 2].map((index) => tokens[index]?.word ?? "");
  const isSaid = next === "be" || (["not", "never"].includes(next ?? "") && then === "be");
  const isDemand = isSaid && ["must", "shall", "should"].includes(word ?? "");
  return (found?.given.length ?? 0) > 0 || (isDemand && isLead(tokens, beginOf(tokens, at), at));
}

/** A word alone in its clause that says nothing by itself. */
function isPlainWord(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  const isAlone = isEnd(tokens[at - 1]) && isEnd(tokens[at + 1]);
  return token?.kind === "word" && isAlone && !glue.has(token.word) && typeAt(tokens, at) === undefined;
}

/** Tells whether a value ends or begins here: a boundary, or another value beside it. */
export function isEdge(token: Token | undefined): boolean {
  return isEnd(token) || ["or", "/", "|"].includes(token?.word ?? "");
}

/** Tells whether a clause ends here. */
export function isEnd(token: Token | undefined): boolean {
  return token === undefined || isBoundary(token);
}
