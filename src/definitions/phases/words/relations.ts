import { phrases, type Relation } from "./limit-words.ts";
import { readAlready, turned, turnOf } from "./negation.ts";
import { readNumber } from "./numbers.ts";

/** The limits in a text. */
export type Relations = {
  readonly relations: readonly Relation[];
  /** A limit is written as a fraction: 2.0 is one, 2 is none. */
  readonly isFractional: boolean;
  /** Comparing words that no number follows. */
  readonly unclear?: string;
  /** A limit beside a negation of which nobody can tell what it turns round. */
  readonly doubtful?: string;
};

/** Finds every limit in a text, and the first comparing words that no number follows. */
export function relationsIn(text: string): Relations {
  const words = withoutAsides(text);
  const { found, rest } = limitsIn(words);
  // Around a limit the others are no words of their own: "not less than 5 or more than 10" has one "not" for both.
  const marked = found.reduce((all, { from, to }) => filled(all, from, to, readAlready), words);
  const judged = found.map((limit) => ({
    ...limit,
    turn: turnOf(marked.slice(0, limit.from), marked.slice(limit.to), limit.relations[0]?.kind),
  }));
  const isDoubtful = ({ turn, relations }: (typeof judged)[number]): boolean =>
    turn === "doubtful" || (turn === "turned" && relations.length > 1);
  const doubtful = judged.find(isDoubtful);
  const [unclear] = comparing.exec(rest) ?? [];
  return {
    relations: judged.flatMap((limit) => {
      if (isDoubtful(limit) || limit.turn === "dropped") return [];
      return limit.turn === "turned" ? limit.relations.map(turned) : limit.relations;
    }),
    isFractional: found.some((limit) => limit.isFractional),
    ...(unclear === undefined ? {} : { unclear }),
    ...(doubtful === undefined ? {} : { doubtful: sentence(words, doubtful) }),
  };
}

type Limit = {
  readonly from: number;
  readonly to: number;
  readonly relations: readonly Relation[];
  readonly isFractional: boolean;
};

/** The limits of a text in their order, and the text without them. */
function limitsIn(words: string): { readonly found: readonly Limit[]; readonly rest: string } {
  let rest = words;
  const found: Limit[] = [];
  for (const { pattern, read } of phrases) {
    for (const match of [...rest.matchAll(pattern)]) {
      const [from, to] = [match.index, match.index + match[0].length];
      const numbers = match.slice(1).filter((part) => part !== undefined);
      found.push({
        from,
        to,
        relations: read(
          numbers.map(readNumber).filter((number) => number !== undefined),
          unitOf(match[0], words.slice(to)),
        ),
        isFractional: numbers.some((part) => /^-?\d+\.\d/.test(part)),
      });
      rest = filled(rest, from, to, ";");
    }
  }
  return { found: found.sort((one, other) => one.from - other.from), rest };
}

/** A text with one stretch of it blotted out, as long as before. */
function filled(text: string, from: number, to: number, sign: string): string {
  return text.slice(0, from) + sign.repeat(to - from) + text.slice(to);
}

const comparing =
  /\b(?:at least|at most|(?:greater|more|less|fewer|lower|higher|larger|smaller|worse|better|slower|faster) than|exactly|between)\b|(?<![\w.])\d+ ?(?:[<>]=?|[≤≥]) ?(?=[\p{L}`])/iu;

/** Tells whether words only allow a zero, and ask for nothing. */
export function onlyAllowsZero(text: string): boolean {
  return /\p{L}/u.test(text) && !/[\p{L}\p{N}]/u.test(withoutAsides(text));
}

/** What is shown as an example, and that a zero may be, limits nothing. */
function withoutAsides(text: string): string {
  return text
    .replaceAll(/(?:\be\.g\.|\beg\b\.?|\bfor (?:example|instance)\b|\bsuch as\b|\bexample:)[:,]?\s*[^,;()]*/gi, " ; ")
    .replaceAll(
      /\b(?:(?:may|can|could|might|allowed to)(?: also| well| even)? (?:be|equal)|including|possibly|even) (?:0|zero)\b(?!\s*(?:to|or|-|–|%|\.))/gi,
      " ; ",
    )
    .replaceAll(
      /\b(?:an? )?(?:0|zero)(?: (?:[a-z]+ )?(?:is|are|counts? as|would be))?(?: (?:also|perfectly|totally))? (?:allowed|ok|okay|fine|permitted|acceptable|accepted|valid|possible|included|good)\b/gi,
      " ; ",
    );
}

function sentence(words: string, { from, to }: Limit): string {
  return words
    .slice(Math.max(0, from - 60), to + 20)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/^[\s,;:.()–—-]+|[\s,;:.()–—-]+$/g, "");
}

function unitOf(whole: string, after: string): string {
  const unit = /^\s*(?:non-blank |non-empty |unique |distinct )?([a-z]+)/i.exec(after)?.[1]?.toLowerCase() ?? "";
  const isMeasured =
    /\blen(?:gth)?\b|\b(?:longer|shorter|characters?|chars?|letters)\b/i.test(whole) &&
    !/^(?:word|line|item|entr)/.test(unit);
  return isMeasured ? "length" : unit;
}
