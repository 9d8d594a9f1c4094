import { hasWords, type Line, sliceLine } from "./lines.ts";
import { kindOfWords } from "./places.ts";

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
