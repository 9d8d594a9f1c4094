import { isName, isSnake } from "../demands/names.ts";
import { readType } from "../words/type-words.ts";
import { announcesGate } from "./gate-words.ts";
import { joinLines, type Line, sliceLine } from "./lines.ts";

/** A run of lines that is a text, or an entry of a list that has no list marks of Markdown. */
export type Part = { readonly kind: "text" | "item"; readonly box: boolean; readonly lines: readonly Line[] };

/** Takes a paragraph apart where its lines are a list by other signs: `☐ Done`, `[ ] done`, `• done`, `name: type`, a term and `: its definition`. */
export function partsOf(lines: readonly Line[]): Part[] {
  return definitionsIn(lines) ?? entriesIn(lines) ?? signedIn(lines);
}

/** Reads the box that a line begins with in other signs than Markdown's. */
export function withoutSign(line: Line): { readonly line: Line; readonly box: boolean } | undefined {
  const box = boxSign.exec(line.text)?.[0] ?? "";
  if (box !== "") return { line: sliceLine(line, box.length), box: true };
  const bullet = /^\s*[•◦▪‣·●○➤►▶]\s*/u.exec(line.text)?.[0] ?? "";
  return bullet === "" ? undefined : { line: sliceLine(line, bullet.length), box: false };
}

const boxSign = /^\s*(?:[-*+•]\s*)?(?:\[[ xX✓✔_]?\](?!\()|(?:[☐☑☒□◻◽▢⬜🔲✅✔✓]\uFE0F?))\s*/u;

function signedIn(lines: readonly Line[]): Part[] {
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

/** `**✅ Exit criteria**`: the sign adorns a label. */
function isGateLabel({ text, marks }: Line): boolean {
  return (
    marks.some(({ kind, text: bold }) => kind === "strong" && /^[^\p{L}\p{N}]*$/u.test(text.replace(bold, ""))) &&
    announcesGate(text)
  );
}

/** "`name`⏎: what it is", as some dialects write a list of terms. */
function definitionsIn(lines: readonly Line[]): Part[] | undefined {
  const isDefinition = ({ text }: Line): boolean => /^\s*:\s/.test(text);
  if (!lines.some(isDefinition) || lines[0] === undefined || isDefinition(lines[0])) return undefined;
  const groups: Line[][] = [];
  lines.forEach((line, index) => {
    const next = lines[index + 1];
    const isTerm = !isDefinition(line) && next !== undefined && isDefinition(next);
    if (isTerm || groups.length === 0) groups.push([line]);
    else groups.at(-1)?.push(line);
  });
  return groups.map((group) => ({
    kind: group.some(isDefinition) ? "item" : "text",
    box: false,
    lines: group.some(isDefinition) ? [joinLines(group)] : group,
  }));
}

/** Lines `name: type` one below the other, all of them or all after a line that ends in a colon. */
function entriesIn(lines: readonly Line[]): Part[] | undefined {
  const lead = lines.findIndex(({ text }) => /[:：]\s*$/.test(text));
  const entries = lines.slice(lead + 1);
  if (entries.length === 0 || (lead === -1 && entries.length < 2) || !entries.every(isEntry)) return undefined;
  const before = lines.slice(0, lead + 1);
  return [
    ...(before.length === 0 ? [] : [{ kind: "text", box: false, lines: before } as const]),
    ...entries.map((line) => ({ kind: "item", box: false, lines: [withName(line)] }) as const),
  ];
}

/** `alpha_count: int`, "`beta` — list", `gamma (string)`: a name that no sentence has, or one before a type. */
function isEntry(line: Line): boolean {
  const { text, marks } = withName(line);
  const [first] = marks;
  if (first === undefined || /[\p{L}\p{N}]/u.test(text.slice(0, first.start)) || first.kind !== "code") return false;
  return /^\s*(?:[:=(–—]|-\s)/.test(text.slice(first.end));
}

/** Marks the plain word that a line begins with as a name, where a colon and a type follow it, or where no sentence has such a word. */
export function withName(line: Line): Line {
  const { text, marks } = line;
  const [, before = "", name = "", after = ""] =
    /^(\s*)(\p{L}[\p{L}\p{N}_-]*)\s*(?:[:=(–—]|-\s)\s*(.*)$/su.exec(text) ?? [];
  const start = before.length;
  const isMarked = marks.some((mark) => mark.start <= start && mark.end > start);
  if (!isName(name) || isMarked || !(isSnake(name) || readType(after) !== undefined) || labels.test(name)) return line;
  const mark = { kind: "code", text: name, start, end: start + name.length } as const;
  return { ...line, marks: [mark, ...marks] };
}

const labels = /^(?:type|kind|format|required|optional|note|example|default|evidence|checkpoint|validators?|rules?)$/i;

function isLabelled({ text, marks: [first] }: Line): boolean {
  if (first?.kind !== "strong" || /[\p{L}\p{N}]/u.test(text.slice(0, first.start))) return false;
  return /:\s*$/.test(first.text) || /^\s*:/.test(text.slice(first.end));
}
