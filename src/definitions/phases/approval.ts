import type { Block } from "./blocks.ts";

/** What a document says about a person's word. */
export type ApprovalRead = { readonly asked: boolean; readonly line: number; readonly isUnclear: boolean };

/** Finds where a document says whether a person must approve; what is said and not understood counts as yes. */
export function findApproval(blocks: readonly Block[]): readonly ApprovalRead[] {
  return blocks.flatMap((block, index) => {
    if (block.kind === "table" || block.kind === "code") return [];
    if (block.kind === "heading") return inHeading(block.line.text, block.line.line, blocks[index + 1]);
    if (block.kind === "item" && block.box) return [];
    return block.lines.flatMap(({ text, line }) => inLine(text, line));
  });
}

/** Tells whether a line is about approval, so that its "required:" asks for no evidence. */
export function isAboutApproval(text: string): boolean {
  return labelled.test(plain(text)) || inLine(text, 1).length > 0;
}

const who = "(?:human|manual|person(?:['’]s)?|user|reviewer|stakeholder|lead|maintainer|explicit|final)";
const labelled = new RegExp(
  `^(?:${who}\\s+)*(?:approval|sign-?off)(?:\\s+(?:is\\s+)?(required|needed))?(?:\\s*\\([^)]*\\))?\\s*(?:[:=–—]|-\\s)\\s*(.*)$`,
  "i",
);
const required = new RegExp(
  `\\b(?:${who}\\s+(?:approval|review and approval|sign-?off)\\s+(?:is\\s+|are\\s+)?(?:required|mandatory|needed|must be)|(?:requires?|needs?|wait for|obtain|must have)\\s+(?:an?\\s+|the\\s+)?(?:explicit\\s+)?${who}\\s+(?:approval|sign-?off)|must be approved by (?:an?\\s+|the\\s+)?(?:human|person|user|reviewer|maintainer))`,
  "i",
);
const denied = /\b(?:no|not|never|without|doesn't|don't|isn't|neither)\b/i;

function inLine(text: string, line: number): ApprovalRead[] {
  const words = plain(text);
  const match = labelled.exec(words);
  if (match !== null) return valueRead((match[2] ?? "").trim(), line, match[1] !== undefined);
  const said = required.exec(words);
  if (said === null) return [];
  const sentence =
    words
      .slice(0, said.index + said[0].length)
      .split(/[.!?]\s/)
      .at(-1) ?? "";
  return [{ asked: !denied.test(sentence), line, isUnclear: false }];
}

function inHeading(text: string, line: number, next: Block | undefined): ApprovalRead[] {
  const words = plain(text);
  const found = inLine(text, line);
  if (found.length > 0) return found;
  if (
    !new RegExp(`^(?:${who}\\s+)+(?:approval|sign-?off)(?:\\s+(?:is\\s+)?(not\\s+)?(required|needed))?$`, "i").test(
      words,
    )
  )
    return [];
  if (/\bnot\b/i.test(words)) return [{ asked: false, line, isUnclear: false }];
  const first = next?.kind === "text" || next?.kind === "item" ? plain(next.lines[0]?.text ?? "") : "";
  return /^(?:not|none|no)\b/i.test(first)
    ? [{ asked: false, line, isUnclear: false }]
    : [{ asked: true, line, isUnclear: false }];
}

function valueRead(value: string, line: number, isRequiredLabel: boolean): ApprovalRead[] {
  if (value === "") return isRequiredLabel ? [{ asked: true, line, isUnclear: false }] : [];
  if (/^(?:not\b|no\b|none\b|false\b|optional\b|n\/a|off\b|never\b|unnecessary\b|❌)/i.test(value))
    return [{ asked: false, line, isUnclear: false }];
  const isYes = /^(?:required|yes|true|mandatory|needed|must|always|on\b|✅|explicit|a person|human)/i.test(value);
  return [{ asked: true, line, isUnclear: !isYes }];
}

function plain(text: string): string {
  return text
    .replaceAll(/[*_`]/g, "")
    .replace(/^[^\p{L}]+/u, "")
    .trim();
}
