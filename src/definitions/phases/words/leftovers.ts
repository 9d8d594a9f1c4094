import type { EvidenceType } from "../../../gates/gate.ts";
import { formAt, namedAt } from "./forms.ts";
import { beginOf, closingOf, isHeard, isOpening } from "./hosts.ts";
import { glue, hedges, isAlarming, isBoundary, ruleLabels, typeAt, typeLabels } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** What the clauses about a field have left: which words are read, and where each rule that holds a value ends. */
export type Read = {
  readonly tokens: readonly Token[];
  readonly spent: ReadonlySet<number>;
  readonly ends: readonly number[];
  readonly type: EvidenceType | undefined;
  isField(name: string): boolean;
};

/** The first word that cannot be passed over, because it may be half of a rule; -1 where all else is plain description. */
export function findOdd(read: Read): number {
  const { tokens, spent, ends } = read;
  // What stands in brackets right behind a rule says more of it: "at least 3 (million)".
  const unheard = ends.find((at) => isOpening(tokens[at]) && !isHeard(tokens, at + 1, closingOf(tokens, at), spent));
  if (unheard !== undefined) return unheard + 1;
  return tokens.findIndex((token, at) => isLoneHedge(tokens, at) || (!spent.has(at) && isOdd(token, at, read)));
}

/** A left-over word that may be half of a rule; a value alone in its clause; words that may be a choice. */
function isOdd(token: Token, at: number, read: Read): boolean {
  const { tokens, type } = read;
  if (isAlarming(token, tokens[at - 1], type, tokens[at - 2])) return true;
  if (type !== "boolean" && conditions.has(token.word) && isEnd(tokens[at - 1])) return true;
  if (isUnheardLabel(token, at, read) || isHalfRule(at, read)) return true;
  const isAlone = isEdge(tokens[at - 1]) && isEdge(tokens[at + 1]);
  // "yes/no" alone in its clause is a choice, and which values it means nobody knows.
  if (token.kind === "word" && token.word.includes("/")) return isAlone && typeAt(tokens, at) === undefined;
  const isName = token.kind === "word" && token.word.includes("_");
  if ((token.kind === "code" && typeAt(tokens, at) === undefined) || token.kind === "quoted" || isName)
    return isAlone && at > 0;
  if (mayBeChoice(at, read)) return true;
  const isChoice =
    token.word === "or" && isEdge(tokens[at - 2]) && isEdge(tokens[at + 2]) && tokens[at + 1] !== undefined;
  return isChoice && at > 0 && !isEdge(tokens[at - 1]);
}

/** "when set, at least 3" */
const conditions = new Set(["when", "where", "while"]);

/** "at least 5, ideally": what the hedge takes back is not clear. */
function isLoneHedge(tokens: readonly Token[], at: number): boolean {
  return (
    hedges.has(tokens[at]?.word ?? "") && isEnd(tokens[at - 1]) && isEnd(tokens[at + 1]) && tokens[at + 1]?.text !== ":"
  );
}

/** "validator: semver", "type: banana": what follows such a label is a rule or a type that is known. */
function isUnheardLabel({ word }: Token, at: number, { tokens, spent }: Read): boolean {
  const isRule = ruleLabels.has(word);
  if ((!isRule && !typeLabels.has(word)) || tokens[at + 1]?.text !== ":") return false;
  const begin = at + 2;
  const stop = tokens.findIndex((token, index) => index >= begin && isBoundary(token));
  const end = stop === -1 ? tokens.length : stop;
  const isKnown = (_: Token, index: number): boolean =>
    spent.has(begin + index) || (!isRule && typeAt(tokens, begin + index) !== undefined);
  return end > begin && !tokens.slice(begin, end).some(isKnown);
}

/** What is half of a rule though its words are plain: a validator by name; a text that is a field; in a yes, a rule about a value. */
function isHalfRule(at: number, { tokens, type, isField }: Read): boolean {
  const found = formAt(tokens, at, isField);
  if (found?.field !== undefined || (tokens[at]?.kind === "word" && namedAt(tokens, at) !== undefined)) return true;
  return type === "boolean" && ((found?.given.length ?? 0) > 0 || isDemand(tokens, at));
}

/** "must not be red", "has to be green": what a value must be, and of a yes nothing is said. */
function isDemand(tokens: readonly Token[], at: number): boolean {
  const before = tokens.slice(beginOf(tokens, at), at).map(({ word }) => word);
  const isModal = (word: string, index: number): boolean =>
    demanding.has(word) ||
    word.endsWith("n't") ||
    (["may", "can"].includes(word) && ["not", "never"].includes(before[index + 1] ?? ""));
  return (
    tokens[at]?.word === "be" &&
    before.some(isModal) &&
    before.every((word, index) => isModal(word, index) || glue.has(word) || word === "not" || word === "never")
  );
}

const demanding = new Set("must shall should cannot has have needs need".split(" "));

/** "low, medium, high": words alone in their clauses, from here to the end of the row. */
function mayBeChoice(at: number, { tokens, spent }: Read): boolean {
  const isWord = (index: number): boolean => {
    const { kind, word } = tokens[index] ?? { kind: "stop", word: "" };
    return kind === "word" && !spent.has(index) && !glue.has(word) && typeAt(tokens, index) === undefined;
  };
  if (!isWord(at) || !isEnd(tokens[at - 1]) || tokens[at + 1]?.text !== ",") return false;
  let last = at;
  while ([",", "and"].includes(tokens[last + 1]?.word ?? "") && isWord(last + 2)) last += 2;
  return last > at && isEnd(tokens[last + 1]);
}

/** Tells whether a value ends or begins here: a boundary, or another value beside it. */
export function isEdge(token: Token | undefined): boolean {
  return isEnd(token) || ["or", "/", "|"].includes(token?.word ?? "");
}

/** Tells whether a clause ends here. */
export function isEnd(token: Token | undefined): boolean {
  return token === undefined || isBoundary(token);
}
