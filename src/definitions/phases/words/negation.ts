import type { Relation } from "./limit-words.ts";

/** What stands for a limit that was read already, in the words around the next one. */
export const readAlready = "\u0001";

/** What the words around a limit do to it: leave it, turn it round, take it back; or nobody can tell. */
export type Turn = "kept" | "turned" | "dropped" | "doubtful";

/** Tells what a negation before or after a limit does to it: "must not be | more than 5 |", "| more than 5 | is not allowed". */
export function turnOf(before: string, after: string, kind?: Relation["kind"]): Turn {
  const turn = turnBefore(before);
  const isOpen = turn === "kept" && (kind === "more_than" || kind === "less_than");
  const later = isOpen && isFine(after) ? "doubtful" : turnAfter(after);
  if (later === "kept") return turn;
  return turn === "kept" ? later : "doubtful";
}

/** The opposite of a limit. */
export function turned(relation: Relation): Relation {
  return { ...relation, kind: opposite[relation.kind] };
}

const opposite: Readonly<Record<Relation["kind"], Relation["kind"]>> = {
  at_least: "less_than",
  less_than: "at_least",
  at_most: "more_than",
  more_than: "at_most",
  exactly: "other_than",
  other_than: "exactly",
};

const negation = "(?:\\b(?:not|never|cannot|without|no|nothing|none|nor|neither|nobody)\\b|n['’]t\\b)";

/** Words that may stand between a negation and what it negates. */
const between = [
  ..."be been being become is are was go going goes get getting rise rising fall falling drop dropping grow growing".split(
    " ",
  ),
  ..."come coming run running have having has contain containing hold last take use cost reach reaching stay exceed".split(
    " ",
  ),
  ..."ever allowed permitted supposed to in any case way value values number total of a an the at all it by or either".split(
    " ",
  ),
  ..."empty blank zero negative null even anything set time means point account circumstances".split(" "),
];
const filler = `(?:under any circumstances|[\\s"'\`${readAlready}]|\\b(?:${between.join("|")})\\b)*`;

/** A negation farther away is about something else. */
const farthest = 300;

function turnBefore(before: string): Turn {
  // "must not, under any circumstances, exceed 5": what is put in between changes nothing.
  const words = before
    .slice(-farthest)
    .replaceAll(/(\b(?:not|never|cannot|n['’]t))\s*(?:,[^,;]{1,40},|\([^)]{1,40}\))/gi, "$1")
    // "not empty, at least 3" says two things; "not empty or longer than 300" one.
    .replaceAll(
      /\b(?:not|never|cannot) (?:be )?(?:left )?(?:empty|blank|null|zero|negative|optional|required|only|just)\b(?!\s*(?:or|nor)\b)/gi,
      " ",
    );
  // "cannot be less than 5 and more than 10": does the "cannot" go on?
  if (
    new RegExp(
      `${negation}\\s+(?:ever )?(?:be|go|get|fall|rise|drop) ${readAlready}+\\s*(?:[a-z]+ )?and\\s*$`,
      "i",
    ).test(words)
  )
    return "doubtful";
  const clause = words.slice(lastBreak(words));
  if (new RegExp(`${negation}${filler}$`, "i").test(clause)) return "turned";
  return new RegExp(`${negation}|\\b(?:hardly|barely|rarely|seldom|scarcely)\\b`, "i").test(clause)
    ? "doubtful"
    : "kept";
}

function lastBreak(words: string): number {
  const breaks = [...words.matchAll(/[,;:()–—]|\.\s|\s-\s|\b(?:and|but|yet|although|if|when|while|because|with)\b/gi)];
  const last = breaks.at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

/** "more than 5 is fine" may say that 5 are asked for, or that nothing is. */
function isFine(after: string): boolean {
  return /^\s*(?:%|per ?cent)?\s*(?:[a-z]+ )?(?:is|are) (?:also |still |perfectly )?(?:allowed|permitted|acceptable|ok|okay|fine)\b/i.test(
    after,
  );
}

/** "more than 5 is not allowed", "over 5: forbidden", "more than 5 is not needed". */
function turnAfter(after: string): Turn {
  const [clause = ""] = /^[^,;.()]*/.exec(after) ?? [];
  const start = "^\\s*(?:%|per ?cent)?\\s*(?:[a-z]+ ){0,2}?";
  const isSaid = (words: string): boolean => new RegExp(`${start}(?:${words})\\b`, "i").test(clause);
  const are = "(?:is|are|would be|will be|counts? as)";
  const fine = "(?:allowed|permitted|acceptable|accepted|ok|okay|fine|tolerated|valid|good enough)";
  if (isSaid(`(?:(?:${are}|must|may|can) )?(?:not|never)(?: be)? ${fine}|(?:isn|aren)['’]t ${fine}`)) return "turned";
  if (
    isSaid(
      `(?:${are} )?(?:forbidden|prohibited|unacceptable|rejected|invalid|disallowed|(?:an? )?(?:failure|error|blocker))`,
    )
  )
    return "turned";
  if (isSaid(`(?:${are} )?(?:not|never) (?:required|needed|necessary|mandatory)`)) return "dropped";
  return "kept";
}
