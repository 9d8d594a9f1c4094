import type { PhrasingContent } from "mdast";

/** A line of text as a reader sees it, with its marks. */
export type Line = {
  readonly text: string;
  readonly marks: readonly LineMark[];
  readonly line: number;
  /** Its start column in the file, if known. */
  readonly column?: number;
};

/** A part of a line in backticks or bold. */
export type LineMark = {
  readonly kind: "code" | "strong";
  readonly text: string;
  readonly start: number;
  readonly end: number;
};

/** The lines of a paragraph as in the file, without comments and images. */
export function linesOf(children: readonly PhrasingContent[], firstLine: number): Line[] {
  const lines: Growing[] = [{ text: "", marks: [], line: firstLine }];
  for (const child of children) append(child, lines);
  return lines.filter(({ text }) => text.trim() !== "").map((line) => ({ ...line, ...sliceLine(line, 0, longest) }));
}

/** Joins lines into one with single spaces. */
export function joinLines(lines: readonly Line[]): Line {
  let text = "";
  const marks: LineMark[] = [];
  for (const line of lines) {
    if (text !== "") text += " ";
    const shift = text.length;
    marks.push(...line.marks.map((mark) => ({ ...mark, start: mark.start + shift, end: mark.end + shift })));
    text += line.text;
  }
  return { text, marks, line: lines[0]?.line ?? 1 };
}

/** Cuts a part out of a line. */
export function sliceLine({ text, marks, line }: Line, from: number, to = text.length): Line {
  return {
    text: text.slice(from, to),
    marks: marks
      .filter(({ start, end }) => start >= from && end <= to)
      .map((mark) => ({ ...mark, start: mark.start - from, end: mark.end - from })),
    line,
  };
}

/** True if a text contains letters or digits. */
export function hasWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** True if a line is struck through. */
export function isStruckThrough(text: string): boolean {
  const bare = text.trim();
  return bare.length > 4 && bare.startsWith("~~") && bare.indexOf("~", 2) === bare.length - 2 && bare.endsWith("~~");
}

/** Puts words before a line. */
export function withLead(lead: string, line: Line): Line {
  return joinLines([{ text: lead, marks: [], line: line.line }, line]);
}

/** The longest text that counts as a line; patterns do not run over more. */
const longest = 4000;

type Growing = Omit<Line, "text" | "marks"> & { text: string; marks: LineMark[] };

function append(node: PhrasingContent, lines: Growing[]): void {
  const at = lines.at(-1);
  if (at === undefined) return;
  const line = node.position?.start.line ?? at.line;
  if (node.type === "break") {
    lines.push({ text: "", marks: [], line: line + 1 });
  } else if (node.type === "text") {
    const [head = "", ...rest] = node.value.split("\n");
    at.text += head;
    rest.forEach((text, index) => {
      const column = (node.position?.end.column ?? 1) - text.length;
      const isLast = index === rest.length - 1;
      lines.push({ text, marks: [], line: line + index + 1, ...(isLast ? { column } : {}) });
    });
  } else if (node.type === "inlineCode") {
    const text = node.value.trim();
    at.marks.push({ kind: "code", text, start: at.text.length, end: at.text.length + text.length });
    at.text += text;
  } else if (node.type === "html") {
    if (["<br>", "<br/>", "<br />"].includes(node.value.toLowerCase())) lines.push({ text: "", marks: [], line });
  } else if ("children" in node) {
    const start = at.text.length;
    for (const child of node.children) append(child, lines);
    // Bold text across a line break is emphasis, not a name.
    if (node.type === "strong" && lines.at(-1) === at)
      at.marks.push({ kind: "strong", text: at.text.slice(start), start, end: at.text.length });
  }
}
