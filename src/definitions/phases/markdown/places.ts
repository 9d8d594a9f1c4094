import { withoutMarks } from "./text-lines.ts";

/** The effect of the headings and labels above a text. */
export type Place = {
  /** True if every entry here is a requirement. */
  readonly asks: boolean;
  readonly isOptional: boolean;
  /** True under an example, which asks for nothing. */
  readonly isExample: boolean;
};

/** The place of a text without headings. */
export const noPlace: Place = { asks: false, isOptional: false, isExample: false };

/** The place below a heading or label inside another place. */
export function placeUnder(words: string, outer: Place): Place {
  const said = withoutMarks(words).toLowerCase();
  const isExample = outer.isExample || example.test(said);
  const asks = !isExample && !isAside(said) && (asksFor(said) || outer.asks);
  const isOptional = optional.test(said) ? !/\bnot optional\b/.test(said) : outer.isOptional && !asksFor(said);
  return { asks, isOptional, isExample };
}

/** Tells if a heading or label announces requirements; a remark in brackets changes nothing, unless it explains. */
export function asksFor(words: string): boolean {
  const said = normal(words);
  if (example.test(said) || isAside(said)) return false;
  const brief = normal(words.replaceAll(/\((?!(?:how|why|background|for information)\b)[^()]*\)/gi, " "));
  return [things, told, when, alone].some((form) => form.test(said) || form.test(brief));
}

/** Words without signs, numbers in front and double spaces. */
function normal(words: string): string {
  return withoutMarks(words)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}'’:,\s-]/gu, " ")
    .replace(/^[\s\d.]+/, "")
    .replace(/[:\s]+$/, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Tells if words say that something may be left out. */
export function saysOptional(words: string): boolean {
  return optional.test(words) && !/\bnot optional\b/i.test(words);
}

const optional = /\b(?:optional|optionally|nice to have|if applicable)\b/i;
const example = /\b(?:examples?|for instance|sample (?:output|answer|evidence))\b/;

/** Tells if a label introduces something beside the requirements. */
function isAside(said: string): boolean {
  return /^\W*(?:(?:some|more|the|a) )?(?:notes?|tips?|hints?|background|rationale|why|about|references?|see also|links|further reading|resources|troubleshooting|history|previous|entry|prerequisites?|out of scope|before you (?:start|begin)|if )\b/.test(
    said,
  );
}

/** The things that are asked for, unless they are only a place: "by the gate you will find". */
const things =
  /(?<!\b(?:by|at|near|from|in|on|into|through|behind|outside|past|with|without|about|off)(?: (?:the|an?|our|your|this|that|each))? (?:\p{L}+ )?)\b(?:evidence|proofs?|gates?|check-?points?|criteri(?:a|on)|definition of done|dod|check[- ]?lists?|validation|verification|verify|acceptance|deliverables?|success|(?:final |self[- ]?|exit )checks?)(?!\p{L})(?=(?: \S+){0,2}$|[,:]| (?:for|to|of|before|after|at|in|on|per|from|by|that|which|and|or|we|you|i|is|are|when)\b)/u;

const giving =
  "report|record|submit|provide|supply|deliver|hand[- ](?:it |them |this |me |us )?(?:in|over|back|off)|turn in|bring back|send|return(?! to)|attach|enclose|upload|log(?! (?:in|on|into|out)\\b)|(?:note|write) (?:down|up)|document|confirm|answer|fill (?:\\p{L}+ )?(?:in|out)|(?:show|give|tell) (?:me|us)";
/** Requests to give something: "Report every night", "Items to be delivered", "What I need". */
const told = new RegExp(
  `(?:^|, )(?:please |then |also |finally |now )*(?:${giving})(?!\\p{L})|\\b(?:to|must|must also|should) (?:be )?(?:${giving})(?:ed|d|ted)?(?!\\p{L})|\\b(?:to be |is |are )?(?:handed|handing|turned) (?:in|over|back|off)\\b|\\b(?:deliver|submit|report back)\\b|\\bto be (?:written|noted) (?:down|up)\\b|\\b(?:send|show|give|tell) (?:me|us)\\b|^what (?:you|we) (?:${giving})(?!\\p{L})|\\b(?:i|we)(?:['’]d| would)? (?:need|want|expect|ask|like|have)\\b(?= to (?:see|know|get|hear)\\b|(?<!have)(?! to\\b))|\\bneeded (?:from|to|before)\\b|\\brequired (?:to|before|from|fields?|outputs?|documents?|records?)\\b`,
  "u",
);
/** Words that say when something is over: "Done when", "Before moving on", "Ready to close". */
const when =
  /\b(?:(?:done|complete|finished|over|good|ready|pass(?:es|ed)?|closed?) (?:when|once|if|only|means|looks)|when (?:is|are) (?:it|this|we|you|the \p{L}+) (?:done|finished|complete|ready)|when (?:it|this|the \p{L}+|\p{L}+) (?:is|are|counts as) (?:done|finished|complete)|before (?:(?:you|we|i|anyone|going|it) )?(?:can )?(?:mov|advanc|proceed|continu|go|leav|clos|sign|merg|ship|the next|next|phase|step|on)\p{L}*|(?:ready|cleared) (?:to|for)|to (?:pass|finish|complete|move on|proceed|close)|must (?:be true|hold|have)|(?:counts? as|^what) (?:done|finished|complete))(?!\p{L})/u;
/** Labels that ask only when nothing else is beside them. */
const alone =
  /^(?:required|mandatory|needed|must-?haves?|reports?|outputs?|records?|checks?|exit|done|completion|hand-?over|sign-?offs?|return|you must|optional|nice to have)$/;
