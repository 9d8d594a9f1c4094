import type { Comparison, EvidenceType } from "../../../gates/gate.ts";
import { type Form, type Found, formAt, namedAt } from "./forms.ts";
import { isLead, isOfField } from "./hosts.ts";
import { findOdd, isEdge, isEnd } from "./leftovers.ts";
import { exampleWords, harmless, hedges, isAlarming, isBoundary, joints, typeAt } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** A form of the vocabulary that a clause says, and the noun that a number in it counts. */
export type Said = { readonly form: Form; readonly given: Found["given"]; readonly unit?: Token };

/** What the clauses about a field say: rules, flags, relations to other fields; or the first that is neither that nor plain. */
export type Clauses = {
  readonly said: readonly Said[];
  readonly relations: readonly { readonly is: Comparison["is"]; readonly field: string }[];
  readonly required?: boolean;
  readonly unclear?: string;
};

type Mode = "plain" | "hedged" | "example";

/** Reads words about a value of some type clause by clause; each is a known form, or plain description, or not understood. */
export function readClauses(
  tokens: readonly Token[],
  type: EvidenceType | undefined,
  isField: (name: string) => boolean,
): Clauses {
  const said: Said[] = [];
  const relations: Clauses["relations"][number][] = [];
  const spent = new Set<number>();
  const ends: number[] = [];
  let flag: Pick<Clauses, "required"> = {};
  let begin = 0;
  let mode: Mode = "plain";
  for (let at = 0; at < tokens.length; ) {
    const word = tokens[at]?.word ?? "";
    if (isEnd(tokens[at])) {
      mode = modeAfter(mode, tokens, at, isField);
      at += 1;
      begin = at;
      continue;
    }
    mode = exampleWords.has(word) ? "example" : hedges.has(word) ? "hedged" : mode;
    const isFirst = isLead(tokens, begin, at);
    const found =
      isFirst && isOfField(tokens, begin, spent) ? (formAt(tokens, at, isField) ?? namedAt(tokens, at)) : undefined;
    const remark = isFirst ? remarkEnd(tokens, at, found?.end ?? at + 1) : undefined;
    const whole = mode === "plain" && found !== undefined ? wholeForm(tokens, found) : undefined;
    const end = remark ?? (mode === "plain" ? whole?.end : (found?.end ?? at + 1));
    if (remark === undefined && found !== undefined && whole !== undefined && !whole.isHedged) {
      const { form, given, field } = found;
      const is = relationOf(found);
      if (form.required !== undefined) flag = { required: form.required };
      else if (field !== undefined && is !== undefined) relations.push({ is, field });
      else said.push({ form, given, ...(whole.noun === undefined ? {} : { unit: whole.noun }) });
      if (field !== undefined || given.length > 0) ends.push(whole.end);
    }
    if (end !== undefined) for (let index = begin; index < end; index++) spent.add(index);
    at = end ?? at + 1;
  }
  const odd = findOdd({ tokens, spent, ends, type, isField });
  return {
    said,
    relations,
    ...flag,
    ...(odd === -1 ? {} : { unclear: `"${clauseAround(tokens, odd)}" is not understood` }),
  };
}

/** A hedge holds to the end of its clause, and beyond a colon; an example goes on while nothing but values follows. */
function modeAfter(mode: Mode, tokens: readonly Token[], at: number, isField: (name: string) => boolean): Mode {
  const [before, token, next] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (mode === "plain" || (["and", ":"].includes(token?.word ?? "") && mode === "hedged")) return mode;
  const isComma = token?.text === "," || token?.word === "and";
  const isSaid = next?.kind === "word" && (formAt(tokens, at + 1, isField) ?? typeAt(tokens, at + 1)) !== undefined;
  const isValue = next !== undefined && !isSaid && isEdge(tokens[at + 2]);
  return mode === "example" && ((isComma && isValue) || exampleWords.has(before?.word ?? "")) ? mode : "plain";
}

/** A form with what may follow it: the end of its clause, a type, or one noun that its number counts; undefined where more follows. */
function wholeForm(
  tokens: readonly Token[],
  found: Found,
): { readonly end: number; readonly noun?: Token; readonly isHedged?: true } | undefined {
  const { end, form, given, field } = found;
  const next = tokens[end];
  if (form.required !== undefined) return { end };
  if (field !== undefined && relationOf(found) === undefined) return undefined;
  if (next === undefined || isBoundary(next)) return { end };
  if (hedges.has(next.word)) return { end: end + 1, isHedged: true };
  if (form.takes === "nothing") return typeAt(tokens, end) === undefined ? undefined : { end };
  const isCount = form.takes === "number" || form.takes === "numbers" || form.kind === "equals";
  const isNoun = next.kind === "word" && !joints.has(next.word) && next.word !== "or" && !isAlarming(next);
  const after = tokens[end + 1]?.word === "long" ? end + 2 : end + 1;
  const isUnit = isNoun && isCount && typeof (given[0] ?? 0) === "number" && isEnd(tokens[after]);
  return isUnit ? { end: after, noun: next } : undefined;
}

/** "more than 3 is suspicious", "3 is typical": talk about a value. */
function remarkEnd(tokens: readonly Token[], at: number, after: number): number | undefined {
  const isValue = tokens[at]?.number !== undefined || after > at + 1;
  const [copula, word, end] = [tokens[after], tokens[after + 1], tokens[after + 2]];
  const isRemark =
    isValue && ["is", "are", "looks", "seems"].includes(copula?.word ?? "") && harmless.has(word?.word ?? "");
  return isRemark && isEnd(end) ? after + 2 : undefined;
}

function relationOf({ form: { kind } }: Found): Comparison["is"] | undefined {
  if (kind === "equals") return "equal_to";
  return kind === "differs_from" ? "different_from" : orders.find((order) => order === kind);
}

const orders = ["at_least", "more_than", "at_most", "less_than"] as const;

/** The words of a clause, with its label. */
function clauseAround(tokens: readonly Token[], at: number): string {
  const isCut = ({ kind, text }: Token): boolean => kind === "stop" && text !== ":";
  const from = tokens.findLastIndex((token, index) => index < at && isCut(token)) + 1;
  const to = tokens.findIndex((token, index) => index > at && isCut(token));
  const words = tokens.slice(from, to === -1 ? undefined : to).map(({ text }) => text);
  return words.join(" ").replaceAll(" :", ":").replace(/^:\s*/, "");
}
