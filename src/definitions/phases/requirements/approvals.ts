import type { Entry } from "../markdown/entries.ts";
import { withoutMarks } from "../markdown/text-lines.ts";

/** A statement about a person's approval; for `none` a label cancels approvals. */
export type ApprovalRead = "asked" | "none" | "perhaps" | undefined;

/** Reads what an entry says about a person's approval. */
export function approvalIn({ kind, text, place, cells }: Entry): ApprovalRead {
  if (place.isExample || kind === "html") return undefined;
  const decisive = cells === undefined ? text : `${cells.name} ${cells.rule ?? ""}`;
  const quoteless = decisive.replaceAll(/"[^"]*"|“[^”]*”|`[^`]*`/g, "…");
  const said = withoutMarks(quoteless).trim();
  if (!about.test(said)) return undefined;
  const label =
    /^[^\p{L}]*((?:[\p{L}’'-]+ ){0,4}(?:approvals?|sign[- ]?offs?)(?: (?:by|from|of) [\p{L} ]+)?(?: (?:is )?(?:required|needed))?)\s*:(?:\s*(.*))?$/iu.exec(
      said,
    );
  if (label !== null) return denied.test(label[2]?.trim() ?? "") ? "none" : "asked";
  if (kind === "heading")
    return said.split(/\s+/).length <= 3 && noun.test(said) && !/\bno\b/i.test(said) ? "asked" : undefined;
  // "approve / reject" is a choice.
  if (/\bapprove[sd]?\s*(?:\/|\||,? or\b)|(?:\/|\||\bor)\s*approve/i.test(said)) return undefined;
  const isGate = place.asks || kind === "box" || kind === "row";
  const sentences = said.split(/(?<=[.!?;])\s+|\s+but\s+/);
  return sentences.some((sentence) => isAsked(sentence, isGate)) ? "asked" : "perhaps";
}

/** Tells if words are about an approval and ask for nothing else. */
export function isOnlyApproval(text: string): boolean {
  return withoutMarks(text)
    .split(/;|,\s+|\.\s+|\s+and\s+/)
    .every((part) => about.test(part) || !/\p{L}{3}.*\s.*\p{L}{3}/u.test(part));
}

function isAsked(sentence: string, isGate: boolean): boolean {
  // "Do not go on until Dana approves" waits for her.
  const waits = /\b(?:not|never|don['’]t|cannot|no \p{L}+)\b.*?\b(?:until|without|before|unless)\b/iu;
  const said = sentence.replace(waits, "until ");
  const isWaiting = said !== sentence;
  // "nothing but what the person agreed to" describes a thing.
  if (!isGate && /\b(?:what|which|whom|as) (?:\S+ ){0,4}(?:approved|agreed|accepted|signed)\b/i.test(said))
    return false;
  if (
    /\b(?:not|no|never|none|cannot|(?:nobody|no one|neither|nor)(?! else))\b|n['’]t\b/i.test(said) ||
    (!isGate && /\bif\b/i.test(said))
  )
    return false;
  if (
    /\byou(?:rself)?\b(?: \p{L}+)? (?:approve|agree|accept|sign)/iu.test(said) ||
    /\b(?:approved|accepted|signed(?: off)?|agreed) by (?:you|yourself|the assistant)\b/i.test(said)
  )
    return false;
  if (
    /\b(?:can|could|may|might) (?:\p{L}+ )?(?:approve|agree|accept|sign)|(?:approval|sign-?off) (?:can|may|might)\b/iu.test(
      said,
    )
  )
    return false;
  const demands =
    isGate ||
    isWaiting ||
    /\b(?:must|needs?|requires?|required|wait|until|before|obtain|get|gets|got|ask|seek|request|only|once|after|has|have|give|gives|gave|subject to|pending)\b/i.test(
      said,
    );
  if (noun.test(said) && (demands || /\b(?:by|from)\b/i.test(said))) return true;
  if (verb.test(said) && !isAttribute(said)) return true;
  if (
    /\bagree(?:s|d)?\b/i.test(said) &&
    (isGate || person.test(said) || /\bagree(?:s|d)? to\b/i.test(said)) &&
    (!(figures.test(said) || /…|\d/.test(said)) || person.test(said.split(/\bagree/i)[0]?.toLowerCase() ?? "")) &&
    !/\bagreed (?:\p{L}+ )?\p{L}+$/iu.test(said) &&
    !/\b(?:the|an|our|as) agreed\b/i.test(said)
  )
    return true;
  if (signer.test(said)) return true;
  return /\b(?:accept(?:s|ed)?|sign(?:s|ed)?|says?|gives?)\b/i.test(said) && person.test(said);
}

const about =
  /\bapprov(?:e[sd]?|als?|ing)\b|\bsign(?:s|ed|ing)?[- ]?offs?\b|\bsign(?:s|ed)\b|\bsign\b|\bagree(?:s|d)?\b|\baccept(?:s|ed)\b|\bmust accept\b|\b(?:says?|gives?) (?:yes|ok|(?:(?:the|their|his|her|a) )?(?:go-ahead|green light|ok(?:ay)?))\b/i;
const noun = /\b(?:approvals?|sign-?offs?)\b/i;
const verb = /\bapprove[sd]?\b|\bsign(?:s|ed)?[- ]off\b/i;
const denied = /^(?:no|none|not|false|n\/a|never|optional|unnecessary)\b/i;
const figures =
  /\b(?:counts?|totals?|numbers?|figures?|sums?|results?|values?|balances?|readings?|measurements?|records?|dates?|amounts?|with (?:the|each|one))\b/i;

/** True where "approved" only describes a thing: "use approved suppliers". */
function isAttribute(said: string): boolean {
  const uses = [
    ...said.matchAll(
      /(\S+\s+)?\b(?:approved|signed[- ]off)\b(?=\s+(?!by\b|in\b|on\b|before\b|and\b|or\b|the\b|it\b|this\b|all\b|every\b|each\b|an?\b|after\b|with\b|to\b|for\b|as\b|at\b)\p{L})/giu,
    ),
  ];
  const all = [...said.matchAll(/\bapprove[sd]?\b|\bsign(?:s|ed)?[- ]off\b/gi)];
  return uses.length === all.length;
}

/** A third party at the start of a line: "The lender's courier signs the list". */
const signer = /^\W*(?:the|an?|our|each|every) (?:[\p{L}’'-]+ ){0,2}(?!server)\p{L}{2,}[eo]rs? signs?\b/iu;

/** A role, a name or a title: who signs and accepts in other lines is a program or a document. */
const person =
  /\b(?:person|people|human|users?|customers?|clients?|owners?|leads?|managers?|heads?|chiefs?|chef|directors?|reviewers?|lawyers?|counsel|attorney|patients?|doctors?|nurses?|supervisors?|partners?|officers?|teams?|board|stakeholders?|auditors?|editors?|authors?|maintainers?|architects?|teachers?|parents?|buyers?|sellers?|tenants?|landlords?|witness(?:es)?|notary|engineers?|colleagues?|commanders?|couple|mother|father|committees?|councils?|agents?|consultants?|chair|principal|secretary|curators?|conservators?|inspectors?|surveyors?|contractors?|sponsors?|vet|trainers?|treasurers?|accountants?|guardians?|family|(?!agree)\p{L}{3,}(?:ee|master|ist|ian|woman|[^u]man)s?|someone|somebody|part(?:y|ies)|[A-Z]{2,4})\b|(?<=\S\s)\p{Lu}\p{Ll}+|^\W*\p{Lu}\p{Ll}+ (?:has |have )?(?:sign|accept|say|give)/u;
