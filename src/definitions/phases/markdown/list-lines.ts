import type { ListItem } from "mdast";
import { hasWords, type Line, sliceLine } from "./lines.ts";
import { kindOfWords, wordsOf } from "./places.ts";

/** A run of lines that is a text, or an entry of a list that has no list marks of Markdown. */
export type Part = { readonly kind: "text" | "item"; readonly box: boolean; readonly lines: readonly Line[] };

/** Takes a paragraph apart where its lines are a list by other signs: `☐ Done`, `[ ] done`, `• done`. */
export function partsOf(lines: readonly Line[]): Part[] {
  const parts: { kind: Part["kind"]; box: boolean; lines: Line[] }[] = [];
  for (const line of lines) {
    const signed = isGateLabel(line) ? undefined : withoutSign(line);
    const last = parts.at(-1);
    if (signed !== undefined) parts.push({ kind: "item", box: signed.box, lines: [signed.line] });
    else if (last === undefined || (last.kind === "item" && last.box && isLabelled(line)))
      parts.push({ kind: "text", box: false, lines: [line] });
    else last.lines.push(line);
  }
  return parts;
}

/** Reads the box that a line begins with in other signs than Markdown's. */
export function withoutSign(line: Line): { readonly line: Line; readonly box: boolean } | undefined {
  const box = boxSign.exec(line.text)?.[0] ?? "";
  if (box !== "") return { line: sliceLine(line, box.length), box: true };
  const bullet = /^\s*[•◦▪‣·●○➤►▶]\s*/u.exec(line.text)?.[0] ?? "";
  return bullet === "" ? undefined : { line: sliceLine(line, bullet.length), box: false };
}

const boxSign = /^\s*(?:[-*+•]\s*)?(?:\[[ xX✓✔_]?\](?!\()|(?:[☐☑☒□◻◽▢⬜🔲✅✔✓]\uFE0F?))\s*/u;

/** `**✅ Exit criteria**`: the sign adorns a label. */
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

/**
 * Where an entry of a list ends and another text begins, by the number of its line. Markdown takes a line right below an entry
 * for the rest of it, and who writes `**Human Approval**: REQUIRED` there did not mean that.
 */
export function endOfEntry(item: ListItem, lines: readonly Line[]): number {
  const left = item.position?.start.column ?? 1;
  const at = lines.findIndex(
    (line, index) =>
      index > 0 && (isOutdented(line, left) || withoutSign(line) !== undefined || speaksForMore(line.text)),
  );
  return at === -1 ? lines.length : at;
}

/** "Optional:" in a line of its own is about what follows, and "Human approval: …" speaks for the phase. */
function speaksForMore(text: string): boolean {
  const [label = "", rest] = text.split(":");
  const words = wordsOf(label);
  const isChoice = choices.some((one) => {
    const said = one.split(" ").length;
    return words.slice(0, said).join(" ") === one && words.length <= said + 1;
  });
  return (rest?.trim() === "" && isChoice) || (rest !== undefined && words.some((word) => approvals.includes(word)));
}

/** Tells whether a label says that somebody's approval is wanted or not. */
export function speaksOfApproval(label: string): boolean {
  const words = wordsOf(label);
  return words.some((word) => approvals.includes(word)) && words.some((word) => wanted.has(word));
}

const wanted = new Set(["required", "needed", "mandatory", "not", "no"]);
const choices = ["optional", "required", "mandatory", "recommended", "nice to have", "if applicable"];
const approvals = ["approval", "sign-off"];

/** A line that begins with a bold label or with "Required:" and stands as far left as the list itself. */
function isOutdented({ text, marks, column = Number.POSITIVE_INFINITY }: Line, left: number): boolean {
  const [first] = marks;
  if (first === undefined || column > left) return false;
  const before = text.slice(0, first.start);
  const words = wordsOf(before.split(":")[0] ?? "");
  const said = words[0] === "you" ? words.slice(1) : words;
  const isAsked = ["required", "evidence", "checkpoint"].includes(words[0] ?? "");
  return (first.kind === "strong" && before.trim() === "") || isAsked || said.slice(0, 2).join(" ") === "must provide";
}
