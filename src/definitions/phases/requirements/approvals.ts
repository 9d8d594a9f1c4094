import type { Entry } from "../markdown/entries.ts";
import { withoutMarks } from "../markdown/text-lines.ts";

/** A statement about a person's approval; for `none` a label cancels approvals. */
export type ApprovalRead = "asked" | "none" | "perhaps" | undefined;

/** Reads what an entry says about a person's approval. */
export function approvalIn({ kind, text, place, cells }: Entry): ApprovalRead {
  if (place.isExample || kind === "html") return undefined;
  const decisive = cells === undefined ? text : `${cells.name} ${cells.rule ?? ""}`;
  const said = withoutMarks(decisive.replaceAll(/"[^"]*"|“[^”]*”|`[^`]*`/g, "…")).trim();
  // "approve / reject" is a choice.
  if (!about.test(said) || /\bapprove[sd]?\s*(?:\/|\||,? or\b)|(?:\/|\||\bor)\s*approve/i.test(said)) return undefined;
  const answer = label.exec(said)?.[1];
  if (answer !== undefined)
    return /^(?:no|none|not|false|n\/a|never|optional|unnecessary)\b/i.test(answer) ? "none" : "asked";
  if (kind === "heading")
    return said.split(/\s+/).length <= 3 && noun.test(said) && !/\bno\b/i.test(said) ? "asked" : undefined;
  const isGate = place.asks || kind === "box" || kind === "row";
  return said.split(/(?<=[.!?;])\s+|\s+but\s+/).some((sentence) => isAsked(sentence, isGate)) ? "asked" : "perhaps";
}

/** Tells if words are about an approval and ask for nothing else. */
export function isOnlyApproval(text: string): boolean {
  return withoutMarks(text)
    .split(/;|,\s+|\.\s+|\s+and\s+/)
    .every((part) => (about.test(part) && !things.test(part)) || !/\p{L}{3}.*\s.*\p{L}{3}/u.test(part));
}

function isAsked(sentence: string, isGate: boolean): boolean {
  // "Do not go on until Dana approves" waits for her.
  const said = sentence.replace(
    /\b(?:not|never|don['’]t|cannot|no \p{L}+)\b.*?\b(?:until|without|before|unless)\b/iu,
    "until ",
  );
  if (denied.test(said) || (!isGate && unlikely.test(said))) return false;
  if (noun.test(said)) return isGate || demand.test(said);
  return verb.test(said) || (acceptance.test(said) && !things.test(said));
}

const consent =
  "(?:says|said|gives|gave|given) (?:yes|ok|(?:(?:the|their|his|her|a) )?(?:go-ahead|green light|ok(?:ay)?))";
const about = new RegExp(
  `\\bapprov(?:e[sd]?|als?|ing)\\b|\\bsign(?:s|ed|ing)?(?:[- ]offs?)?\\b|\\bagree(?:s|d)?\\b|\\baccept(?:s|ed)?\\b|\\b${consent}\\b`,
  "i",
);
const noun = /\b(?:approvals?|sign-?offs?)\b/i;
/** "Human approval: not required" */
const label =
  /^[^\p{L}]*(?:[\p{L}’'-]+ ){0,4}(?:approvals?|sign[- ]?offs?)(?: (?:by|from|of) [\p{L} ]+)?(?: (?:is )?(?:required|needed))?\s*:\s*(.*)$/iu;
/** A negation, the assistant itself, or a permission. */
const denied =
  /\b(?:not|no|never|none|cannot|(?:nobody|no one|neither|nor)(?! else))\b|n['’]t\b|\byou(?:rself)?\b(?: \p{L}+)? (?:approve|agree|accept|sign)|^\W*(?:the )?assistant (?:approve|agree|accept|sign)|\bby (?:you|yourself|the assistant)\b|\b(?:can|could|may|might) (?:\p{L}+ )?(?:approve|agree|accept|sign)|(?:approval|sign-?off) (?:can|may|might)\b/iu;
/** In prose, a condition, or a thing: "nothing but what the person agreed to". */
const unlikely = /\bif\b|\b(?:what|which|whom|as) (?:\S+ ){0,4}(?:approve|agree|accept|sign)/i;
const demand =
  /\b(?:must|needs?|requires?|required|wait|until|before|obtain|get|gets|got|ask|seek|request|only|once|after|has|have|give|gives|gave|subject to|pending|by|from)\b/i;
/** Not "approved suppliers", which describes a thing. */
const verb =
  /\bapproves?\b|\bsigns?[- ]off\b|\b(?:approved|signed[- ]off)\b(?!\s+(?!(?:by|in|on|before|and|or|the|it|this|all|every|each|an?|after|with|to|for|as|at)\b)\p{L})/iu;
/** Someone accepts or signs one certain thing, agrees to something, or says yes. */
const acceptance = new RegExp(
  `\\p{L}.*\\b(?:accept|sign)(?:s|ed)? (?:the|an?|this|it|any|all|every|each)\\b|\\bagree(?:s|d)? (?:to|that)\\b|\\bagrees with\\b|\\b(?:is|are|been) agreed\\b|\\bha(?:s|ve) (?:accepted|agreed|signed)\\b|\\b(?:accepted|agreed|signed) by\\b|\\b${consent}\\b`,
  "iu",
);
/** Programs accept and sign, and figures agree. */
const things =
  /\b(?:server|system|script|parser|tool|program|api|service|build|pipeline|form|figures?|numbers?|counts?|totals?|sums?|values?|balances?|amounts?|results?)\b.*\b(?:accept|sign|agree)/i;
