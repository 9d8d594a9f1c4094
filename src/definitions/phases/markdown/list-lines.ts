import type { ListItem } from "mdast";
import { kindOfWords, wordsOf } from "./context-kind.ts";
import { hasWords, type Line, sliceLine } from "./text-lines.ts";

/** A group of lines that is text, or an entry of a list without Markdown marks. */
export type ParagraphPart = { readonly kind: "text" | "item"; readonly box: boolean; readonly lines: readonly Line[] };

/** Splits a paragraph whose lines are a list by other signs: `☐ Done`, `[ ] done`, `• done`. */
export function splitParagraph(lines: readonly Line[]): ParagraphPart[] {
  const parts: { kind: ParagraphPart["kind"]; box: boolean; lines: Line[] }[] = [];
  for (const line of lines) {
    const signed = isGateLabel(line) ? undefined : parseBoxSign(line);
    const last = parts.at(-1);
    if (signed !== undefined) parts.push({ kind: "item", box: signed.box, lines: [signed.line] });
    else if (last === undefined || (last.kind === "item" && last.box && isLabelled(line)))
      parts.push({ kind: "text", box: false, lines: [line] });
    else last.lines.push(line);
  }
  return parts;
}

/** Parses a line that starts with a checkbox in other signs than Markdown's. */
export function parseBoxSign(line: Line): { readonly line: Line; readonly box: boolean } | undefined {
  const box = boxSign.exec(line.text)?.[0] ?? "";
  if (box !== "") return { line: sliceLine(line, box.length), box: true };
  const bullet = /^\s*[•◦▪‣·●○➤►▶]\s*/u.exec(line.text)?.[0] ?? "";
  return bullet === "" ? undefined : { line: sliceLine(line, bullet.length), box: false };
}

const boxSign = /^\s*(?:[-*+•]\s*)?(?:\[[ xX✓✔_]?\](?!\()|(?:[☐☑☒□◻◽▢⬜🔲✅✔✓]\uFE0F?))\s*/u;

/** True if the sign only decorates a label: `**✅ Exit criteria**`. */
function isGateLabel({ text, marks }: Line): boolean {
  return (
    marks.some(({ kind, text: bold }) => kind === "strong" && !hasWords(text.replace(bold, ""))) &&
    kindOfWords(text) !== "nothing"
  );
}

function isLabelled({ text, marks: [first] }: Line): boolean {
  if (first?.kind !== "strong" || hasWords(text.slice(0, first.start))) return false;
  return first.text.trimEnd().endsWith(":") || text.slice(first.end).trimStart().startsWith(":");
}

/** The line where a list entry ends although Markdown continues it, as with `**Human Approval**: REQUIRED` right below an entry. */
export function endOfEntry(item: ListItem, lines: readonly Line[]): number {
  const left = item.position?.start.column ?? 1;
  const at = lines.findIndex(
    (line, index) =>
      index > 0 && (isOutdented(line, left) || parseBoxSign(line) !== undefined || appliesToMore(line.text)),
  );
  return at === -1 ? lines.length : at;
}

/** True for a label about what follows ("Optional:") or about the whole phase ("Human approval: …"). */
function appliesToMore(text: string): boolean {
  const [label = "", rest] = text.split(":");
  const words = wordsOf(label);
  const isChoice = choices.some((one) => {
    const said = one.split(" ").length;
    return words.slice(0, said).join(" ") === one && words.length <= said + 1;
  });
  return (rest?.trim() === "" && isChoice) || (rest !== undefined && words.some((word) => approvals.includes(word)));
}

/** True if a label says that an approval is or is not required. */
export function isApprovalLabel(label: string): boolean {
  const words = wordsOf(label);
  return words.some((word) => approvals.includes(word)) && words.some((word) => wanted.has(word));
}

const wanted = new Set(["required", "needed", "mandatory", "not", "no"]);
const choices = ["optional", "required", "mandatory", "recommended", "nice to have", "if applicable"];
const approvals = ["approval", "sign-off"];

/** True for a line that starts with a bold label or "Required:" and is not indented more than the list. */
function isOutdented({ text, marks, column = Number.POSITIVE_INFINITY }: Line, left: number): boolean {
  const [first] = marks;
  if (first === undefined || column > left) return false;
  const before = text.slice(0, first.start);
  const words = wordsOf(before.split(":")[0] ?? "");
  const said = words[0] === "you" ? words.slice(1) : words;
  const isAsked = ["required", "evidence", "checkpoint"].includes(words[0] ?? "");
  return (first.kind === "strong" && before.trim() === "") || isAsked || said.slice(0, 2).join(" ") === "must provide";
}
