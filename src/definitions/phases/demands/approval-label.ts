/** What a label says about a person's word: `**Human Approval**: REQUIRED`. */
export type ApprovalLabel = { readonly asked: boolean; readonly isUnclear: boolean };

/** Reads a line that is a label about approval and its value; undefined where it is something else. What is said and not understood counts as yes. */
export function readApprovalLabel(text: string, inGate: boolean): ApprovalLabel | undefined {
  const words = plainOf(text);
  const [, label = "", value = ""] = /^([^:=–—]{1,80}?)\s*(?:[:=–—]|\s-\s)\s*(.*)$/s.exec(words) ?? [];
  const said = value.replaceAll(/[^\p{L}\p{N}/✅❌☑✔]+$|^[^\p{L}\p{N}✅❌☑✔]+/gu, "").trim();
  const name = label.replace(/\([^)]*\)/g, " ").trim();
  if (isSigned(name)) return inGate ? { asked: !denied.test(said), isUnclear: false } : undefined;
  if (/^(?:(?:phase|exit|validation|quality) )?(?:gate|checkpoint)(?: type)?$/i.test(name) && givenBy.test(said))
    return { asked: true, isUnclear: false };
  const kind = kindOf(name);
  if (kind === undefined) return undefined;
  if (said === "") return kind.isDemand ? { asked: true, isUnclear: false } : undefined;
  if (denied.test(said)) return { asked: false, isUnclear: false };
  const isYes = affirmed.test(said);
  const isPerson = kind.isDemand && !/\d/.test(said);
  // "Budget approval: see the annex" is about something else; a person's is meant where nothing else is named.
  if (!isYes && !isPerson && !kind.isPersons && !inGate) return undefined;
  return { asked: true, isUnclear: !isYes && !isPerson };
}

/** A text without the signs of Markdown and what stands before its first letter. */
export function plainOf(text: string): string {
  return text
    .replaceAll(/[*_`]/g, "")
    .replace(/^[^\p{L}]+/u, "")
    .trim();
}

/** People who can give their word, in words. */
export const person =
  "(?:humans?|persons?|people|users?|reviewers?|stakeholders?|leads?|leaders?|maintainers?|managers?|management|owners?|product owner|po|pm|ciso|cto|ceo|cfo|cio|vp|directors?|architects?|admin(?:istrator)?s?|team|customers?|clients?|sponsors?|supervisors?|operators?|editors?|officers?|approvers?|auditors?|board|committee|someone|somebody|colleagues?|peers?|teammates?|engineers?|developers?|experts?|legal|security|compliance|qa|author|requester|me|us)";

/** What a person gives. */
export const word =
  "(?:approvals?|sign-?offs?|sign-? off|go-ahead|consent|green light)\\b(?![- ](?:tokens?|flows?|process|pages?|workflows?|buttons?|emails?|lists?|forms?|history|records?|dates?|screens?|counts?|rates?|logic|states?|rules?|table))";

/** "Gate: human approval". */
const givenBy = new RegExp(`^(?:explicit |manual )?(?:${person}|manual|explicit)(?:['’]s)? ${word}`, "i");
const denied =
  /^(?:not\b(?! before\b| until\b)|no\b|none\b|false\b|optional\b|n\/?a\b|off\b|never\b|unnecessary\b|skip(?:ped)?\b|waived\b|❌)/i;
const affirmed =
  /^(?:required|requires?|yes|y\b|true|mandatory|needed|needs?|must|always|on\b|✅|☑|✔|explicit|a person|human|get|obtain|wait|stop)/i;

function isSigned(label: string): boolean {
  return /^(?:(?:approved|signed(?: off)?|reviewed and approved|sign-?off|approval) by|approvers?|sign-?off owner)$/i.test(
    label,
  );
}

/** Whether a label is about approval: whether it is a person's, and whether it demands by itself ("approval required from"). */
function kindOf(label: string): { readonly isPersons: boolean; readonly isDemand: boolean } | undefined {
  const words = label.toLowerCase().replaceAll(/['’]s?(?=\s)/g, "");
  const about = new RegExp(
    `^(?:requires?|needs?|required|mandatory|pending|awaiting)?\\s*((?:[\\p{L}-]+\\s+){0,4}?)(${word}|(?:human|manual|peer|user|stakeholder|manager|lead|owner) (?:reviews?|confirmation|check|validation|verification)|human[- ]in[- ]the[- ]loop)((?:\\s+[\\p{L}\\d]+){0,5})$`,
    "u",
  ).exec(words);
  if (about === null) return undefined;
  const [, before = "", , after = ""] = about;
  if (!tail.test(after.trim())) return undefined;
  const isDemand =
    /\b(?:required|needed|from|mandatory|must)\b/.test(after) || /^(?:requires?|needs?|required)\b/.test(words);
  return {
    isPersons: before
      .trim()
      .split(/\s+/)
      .every((one) => modifiers.test(one)),
    isDemand,
  };
}

/** What may follow the word in a label: "required from", "needed before phase 2", "gate". */
const tail =
  /^(?:gate|checkpoint|step|status)?\s*(?:(?:is |are )?(?:required|needed|mandatory|must)?)\s*(?:from|by|of|to|before|for)?(?:\s+[\p{L}\d]+){0,3}$/u;
const modifiers = new RegExp(`^(?:${person}|manual|explicit|final|written|formal|prior|the|an?|and|or|)$`, "i");
