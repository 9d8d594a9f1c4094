import type { Comparison } from "../../../evidence/gate.ts";
import { type Form, type Found, formAt } from "./forms.ts";
import { exampleWords, glue, harmless, hedges, isAlarming, joints, typeAt } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** A form of the vocabulary that a clause says, and the noun that a number in it counts. */
export type Said = { readonly form: Form; readonly given: Found["given"]; readonly unit?: string };

/** What the clauses about a field say: rules, flags, relations to other fields; or the first that is neither that nor plain. */
export type Clauses = {
  readonly said: readonly Said[];
  readonly relations: readonly { readonly is: Comparison["is"]; readonly field: string }[];
  readonly required?: boolean;
  readonly mayBeEmpty: boolean;
  readonly unclear?: string;
};

/** Reads words clause by clause; each is a known form, or plain description, or not understood. `isYes`: they are about a yes. */
export function readClauses(tokens: readonly Token[], isYes: boolean, isField: (name: string) => boolean): Clauses {
  const said: Said[] = [];
  const relations: Clauses["relations"][number][] = [];
  const spent = new Set<number>();
  let required: boolean | undefined;
  let mayBeEmpty = false;
  let begin = 0;
  let mode: "plain" | "hedged" | "example" = "plain";
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    if (token === undefined) break;
    if (isBoundary(token)) {
      mode = modeAfter(token, mode, tokens, at);
      begin = at + 1;
      at += 1;
      continue;
    }
    if (hedges.has(token.word)) mode = "hedged";
    if (exampleWords.has(token.word)) mode = "example";
    const found = isLead(tokens, begin, at) ? formAt(tokens, at, isField) : undefined;
    const flag = flagAt(tokens, at);
    const remark = at === begin || isLead(tokens, begin, at) ? remarkEnd(tokens, at, found?.end ?? at + 1) : undefined;
    if (remark !== undefined) {
      spend(spent, begin, remark);
      at = remark;
    } else if (mode !== "plain") {
      const end = Math.max(found?.end ?? 0, at + 1);
      spend(spent, begin, end);
      at = end;
    } else if (flag !== undefined && isLead(tokens, begin, at)) {
      required = flag.required;
      spend(spent, begin, flag.end);
      at = flag.end;
    } else if (found === undefined) at += 1;
    else {
      const unit = unitAt(tokens, found);
      if (unit === "hedged" || unit === undefined || (unit.noun !== undefined && !counts(found))) {
        at += unit === "hedged" ? found.end - at + 1 : 1;
        if (unit === "hedged") spend(spent, begin, at);
        continue;
      }
      const relation = found.field === undefined ? undefined : relationOf(found);
      if (found.field !== undefined && relation === undefined) {
        at += 1;
        continue;
      }
      if (relation !== undefined) relations.push(relation);
      else {
        said.push({ form: found.form, given: found.given, ...(unit.noun === undefined ? {} : { unit: unit.noun }) });
        mayBeEmpty ||= found.form.mayBeEmpty === true;
      }
      spend(spent, begin, unit.end);
      at = unit.end;
    }
  }
  const odd = tokens.findIndex((token, at) => !spent.has(at) && isOdd(token, at, tokens, isYes));
  return {
    said,
    relations,
    mayBeEmpty,
    ...(required === undefined ? {} : { required }),
    ...(odd === -1 ? {} : { unclear: `"${clauseAround(tokens, odd)}" says more than Waymark understands` }),
  };
}

/** A left-over word that may be half of a rule; a value alone in its clause; words that may be a choice. */
function isOdd(token: Token, at: number, tokens: readonly Token[], isYes: boolean): boolean {
  if (isAlarming(token, tokens[at - 1], isYes)) return true;
  const isAlone = isEdge(tokens[at - 1]) && isEdge(tokens[at + 1]);
  // "yes/no" alone in its clause is a choice, and which values it means nobody knows.
  if (token.kind === "word" && token.word.includes("/")) return isAlone && typeAt(tokens, at) === undefined;
  if ((token.kind === "code" && typeAt(tokens, at) === undefined) || token.kind === "quoted") return isAlone && at > 0;
  const isChoice =
    token.word === "or" && isEdge(tokens[at - 2]) && isEdge(tokens[at + 2]) && tokens[at + 1] !== undefined;
  return isChoice && at > 0 && !isEdge(tokens[at - 1]);
}

function isEdge(token: Token | undefined): boolean {
  return token === undefined || isBoundary(token) || token.word === "or";
}

function isBoundary(token: Token): boolean {
  return token.kind === "stop" || token.word === "and" || token.word === "but";
}

/** A hedge holds to the end of its clause; an example goes on while nothing but values follows. */
function modeAfter(
  token: Token,
  mode: "plain" | "hedged" | "example",
  tokens: readonly Token[],
  at: number,
): typeof mode {
  if (mode === "plain" || (token.word === "and" && mode === "hedged")) return mode;
  if (token.text === "." && mode === "example" && tokens[at - 1]?.word === "g") return mode;
  const isComma = token.text === "," || token.word === "and";
  const next = tokens[at + 1];
  const isValue = next !== undefined && next.kind !== "word" && isEdge(tokens[at + 2]);
  return mode === "example" && ((isComma && isValue) || exampleWords.has(tokens[at - 1]?.word ?? "")) ? mode : "plain";
}

/** A rule begins its clause: only words that join, or the type, may stand before it. */
function isLead(tokens: readonly Token[], begin: number, at: number): boolean {
  for (let index = begin; index < at; index++) {
    const token = tokens[index];
    const type = typeAt(tokens, index);
    if (type !== undefined && type.end <= at) index = type.end - 1;
    else if (token === undefined || (!glue.has(token.word) && token.kind !== "sign")) return false;
  }
  return true;
}

/** What may follow a form: the end of its clause, a type, or one noun that its number counts. */
function unitAt(
  tokens: readonly Token[],
  { end, form }: Found,
): { readonly end: number; readonly noun?: string } | "hedged" | undefined {
  const next = tokens[end];
  if (next === undefined || isBoundary(next)) return { end };
  if (hedges.has(next.word)) return "hedged";
  if (form.takes === "nothing") return typeAt(tokens, end) === undefined ? undefined : { end };
  const isLong = tokens[end + 1]?.word === "long";
  const after = tokens[end + (isLong ? 2 : 1)];
  const isNoun =
    next.kind === "word" && !joints.has(next.word) && next.word !== "or" && !isAlarming(next, undefined, false);
  return isNoun && (after === undefined || isBoundary(after))
    ? { end: end + (isLong ? 2 : 1), noun: next.word }
    : undefined;
}

function counts({ form, given }: Found): boolean {
  return (
    form.takes === "number" || form.takes === "numbers" || (form.kind === "equals" && typeof given[0] === "number")
  );
}

/** "more than 3 is suspicious", "3 is typical": talk about a value. */
function remarkEnd(tokens: readonly Token[], at: number, after: number): number | undefined {
  const isValue = tokens[at]?.number !== undefined || after > at + 1;
  const [copula, word, end] = [tokens[after], tokens[after + 1], tokens[after + 2]];
  const isRemark =
    isValue && ["is", "are", "looks", "seems"].includes(copula?.word ?? "") && harmless.has(word?.word ?? "");
  return isRemark && (end === undefined || isBoundary(end)) ? after + 2 : undefined;
}

/** Whether it must be there: in a word, or as "required: no". */
function flagAt(
  tokens: readonly Token[],
  at: number,
): { readonly required: boolean; readonly end: number } | undefined {
  const [one, two, three] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  const isNot = one?.word === "not";
  const flag = isNot ? two : one;
  const next = isNot ? three : two;
  if (flag === undefined || !["optional", "required", "mandatory"].includes(flag.word)) return permission(tokens, at);
  const isAsked = (flag.word === "optional") === isNot;
  const answer = next?.text === ":" ? tokens[at + (isNot ? 3 : 2)]?.word : undefined;
  if (answer === "yes" || answer === "true") return { required: isAsked, end: at + (isNot ? 4 : 3) };
  if (answer === "no" || answer === "false") return { required: !isAsked, end: at + (isNot ? 4 : 3) };
  return { required: isAsked, end: at + (isNot ? 2 : 1) };
}

/** "may be zero", "may be negative": it asks for nothing. */
function permission(
  tokens: readonly Token[],
  at: number,
): { readonly required: boolean; readonly end: number } | undefined {
  const words = tokens.slice(at, at + 3).map(({ word }) => word);
  const isAllowed =
    ["may", "can"].includes(words[0] ?? "") && words[1] === "be" && ["zero", "negative", "0"].includes(words[2] ?? "");
  return isAllowed ? { required: true, end: at + 3 } : undefined;
}

function relationOf({ form, field }: Found): Clauses["relations"][number] | undefined {
  const is = relations.get(form.kind ?? "");
  return is === undefined || field === undefined ? undefined : { is, field };
}

const relations: ReadonlyMap<string, Comparison["is"]> = new Map([
  ["at_least", "at_least"],
  ["more_than", "more_than"],
  ["at_most", "at_most"],
  ["less_than", "less_than"],
  ["equals", "equal_to"],
  ["differs_from", "different_from"],
]);

function spend(spent: Set<number>, from: number, to: number): void {
  for (let at = from; at < to; at++) spent.add(at);
}

function clauseAround(tokens: readonly Token[], at: number): string {
  let [from, to] = [at, at];
  while (from > 0 && tokens[from - 1]?.kind !== "stop") from -= 1;
  while (to < tokens.length - 1 && tokens[to + 1]?.kind !== "stop") to += 1;
  return tokens
    .slice(from, to + 1)
    .map(({ text }) => text)
    .join(" ");
}
