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

/** Tells if a heading or label announces requirements. */
export function asksFor(words: string): boolean {
  const said = withoutMarks(words)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}'’:,\s-]/gu, " ")
    .replace(/^[\s\d.]+/, "")
    .replace(/[:\s]+$/, "")
    .trim();
  if (example.test(said) || isAside(said)) return false;
  return asking.test(said) || alone.test(said);
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

/** Words that make a label ask even with other words beside them. */
const asking = new RegExp(
  `\\b(?:${[
    "evidence|proofs?|gates?|check-?points?|criteri(?:a|on)|definition of done|dod|check[- ]?lists?",
    "validation|verification|verify|acceptance|deliver|deliverables?|submit|provide|report back|to report",
    "hand(?:ed|ing)?[- ](?:it |them |this |me |us )?(?:in|over|back|off)|turn in|bring back|(?:send|show|give|tell) (?:me|us)",
    "(?:done|complete|finished|over|good|pass(?:es|ed)?|closed?) (?:when|once|if|only|means|looks)|when (?:is|are) (?:it|this|we|you|the \\p{L}+) (?:done|finished|complete|ready)|when (?:it|this|the \\p{L}+|\\p{L}+) (?:is|are|counts as) (?:done|finished|complete)",
    "what (?:i|we) (?:need|want|expect)|i need|we need|needed from|needed (?:to|before)|required (?:to|before|from|fields?|outputs?|documents?|records?)",
    "before (?:(?:you|we|i|anyone|going|it) )?(?:can )?(?:mov|advanc|proceed|continu|go|leav|clos|sign|merg|ship|the next|next|phase|step|on)\\p{L}*",
    "(?:ready|cleared) (?:to|for)|to (?:pass|finish|complete|move on|proceed|close)|must (?:be true|hold|have)|final checks?|self-?checks?|exit checks?",
  ].join("|")})(?!\\p{L})`,
  "u",
);
/** Labels that ask only when nothing else is beside them. */
const alone =
  /^(?:required|mandatory|needed|must-?haves?|reports?|outputs?|records?|checks?|exit|done|sign-?offs?|return|you must)$/;
