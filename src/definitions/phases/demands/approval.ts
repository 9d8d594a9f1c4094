import type { Block } from "../markdown/blocks.ts";
import { askingAt, isExamplePlace } from "../markdown/gate-places.ts";
import { joinLines, type Line } from "../markdown/lines.ts";
import { rowsOf } from "../markdown/table-rows.ts";
import { plainOf, readApprovalLabel } from "./approval-label.ts";
import { findApprovalSentences, isOfPerson } from "./approval-sentence.ts";

/** What a document says about a person's word. */
export type ApprovalRead = { readonly asked: boolean; readonly line: number; readonly isUnclear: boolean };

/** Finds where a document says whether a person must approve; what is said and not understood counts as yes. */
export function findApproval(blocks: readonly Block[]): readonly ApprovalRead[] {
  return blocks.flatMap((block, index) => {
    if (block.kind === "code" || block.kind === "html" || isExamplePlace(block.place)) return [];
    const inGate = askingAt(block.place) !== "nothing";
    if (block.kind === "table") return rowsOf(block.table).flatMap((cells) => inRow(cells) ?? []);
    if (block.kind === "heading") return inHeading(block.line, blocks[index + 1]);
    if (block.kind === "item" && block.box) return inGate ? inBox(block.lines) : [];
    return inLines(block.lines, inGate);
  });
}

/** Tells whether a line is about approval and nothing else, so that its "required:" asks for no evidence. */
export function isAboutApproval(text: string, inGate: boolean): boolean {
  return readApprovalLabel(text, inGate) !== undefined || findApprovalSentences(plainOf(text), inGate).length > 0;
}

/** Tells whether a row of a table says whether a person must approve: `| Human Approval | Required |`. */
export function isApprovalRow(cells: readonly Line[]): boolean {
  return inRow(cells) !== undefined;
}

function inLines(lines: readonly Line[], inGate: boolean): ApprovalRead[] {
  const labels = lines.flatMap(({ text, line }) => {
    const read = readApprovalLabel(text, inGate);
    return read === undefined ? [] : [{ ...read, line }];
  });
  if (labels.length > 0) return labels;
  // A sentence may run over the end of a line.
  const whole = plainOf(joinLines(lines).text);
  const line = lines[0]?.line ?? 1;
  return findApprovalSentences(whole, inGate).map(({ asked }) => ({ asked, line, isUnclear: false }));
}

/** A yes of the assistant does not stand for the person's whom the box names. */
function inBox(lines: readonly Line[]): ApprovalRead[] {
  const { text, line, marks } = joinLines(lines);
  const label = readApprovalLabel(text, true);
  if (label !== undefined) return [{ ...label, line }];
  const isNamed = marks.some(({ kind, start }) => kind === "code" && !/[\p{L}\p{N}]/u.test(text.slice(0, start)));
  return !isNamed && isOfPerson(plainOf(text)) ? [{ asked: true, line, isUnclear: false }] : [];
}

function inRow([first, ...others]: readonly Line[]): ApprovalRead | undefined {
  const value = others.find(({ text }) => text.trim() !== "");
  if (
    first === undefined ||
    value === undefined ||
    !/^(?:not |required|yes|no\b|mandatory|needed|optional|true|false|none|n\/a|✅|❌)/i.test(value.text.trim())
  )
    return undefined;
  const read = readApprovalLabel(`${first.text.trim()}: ${value.text}`, false);
  return read === undefined ? undefined : { ...read, line: first.line };
}

function inHeading(heading: Line, next: Block | undefined): ApprovalRead[] {
  const { text, line } = heading;
  const found = inLines([heading], false);
  if (found.length > 0) return found;
  const words = plainOf(text)
    .replace(/\([^)]*\)/g, "")
    .trim();
  if (!titles.test(words)) return [];
  const first = next?.kind === "text" || next?.kind === "item" ? plainOf(next.lines[0]?.text ?? "") : "";
  const isDenied = /\bnot\b|\boptional\b/i.test(words) || /^(?:not|none|no|optional|n\/a)\b/i.test(first);
  return [{ asked: !isDenied, line, isUnclear: false }];
}

/** Headings of a section that is about a person's word. */
const titles =
  /^(?:(?:(?:human|manual|person|user|reviewer|stakeholder|lead|maintainer|manager|owner|explicit|final)\s+)+(?:approval|sign-?off|review|confirmation)|approval)(?:\s+(?:gate|checkpoint))?(?:\s+(?:is\s+)?(?:not\s+)?(?:required|needed))?$/i;
