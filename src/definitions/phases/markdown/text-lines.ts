import type { Paragraph, PhrasingContent } from "mdast";

/** A line of text; code stays in backticks, bold text in two asterisks. */
export type TextLine = { readonly text: string; readonly line: number };

/** The lines of a paragraph, heading or cell as in the file, without comments and images. */
export function linesOf({ children, position }: Pick<Paragraph, "position"> & Phrasing): TextLine[] {
  const lines: GrowingLine[] = [{ text: "", line: position?.start.line ?? 1 }];
  append(children, lines);
  return lines
    .map(({ text, line }) => ({
      text: text
        .replace(/^\[!\p{L}+\]/u, "")
        .trim()
        .slice(0, longest),
      line,
    }))
    .filter(({ text }) => text !== "");
}

/** The text of a paragraph, heading or cell on one line, without marks. */
export function plainText(node: Parameters<typeof linesOf>[0]): string {
  return withoutMarks(
    linesOf(node)
      .map(({ text }) => text)
      .join(" "),
  );
}

/** Removes the marks for code and bold text. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/\*\*|`/g, "");
}

/** The longest text that counts as a line; patterns do not run over more. */
const longest = 2000;

type Phrasing = { readonly children: readonly PhrasingContent[] };
type GrowingLine = { text: string; line: number };

function append(nodes: readonly PhrasingContent[], lines: GrowingLine[]): void {
  for (const node of nodes) {
    const at = lines.at(-1);
    if (at === undefined) return;
    const line = node.position?.start.line ?? at.line;
    if (node.type === "text") {
      const [head = "", ...rest] = node.value.replaceAll(/\*\*|`/g, "").split("\n");
      at.text += head;
      rest.forEach((text, index) => {
        lines.push({ text, line: line + index + 1 });
      });
    } else if (node.type === "break") lines.push({ text: "", line: line + 1 });
    else if (node.type === "inlineCode") at.text += `\`${node.value.trim().replaceAll(/[`\n]/g, " ")}\``;
    else if (node.type === "html") {
      if (/^<br ?\/?>$/i.test(node.value)) lines.push({ text: "", line });
    } else if ("children" in node) {
      const start = at.text;
      append(node.children, lines);
      const bold = at.text.slice(start.length).trim();
      // Bold text across a line break is emphasis, not a name.
      if (node.type === "strong" && lines.at(-1) === at && bold !== "") at.text = `${start}**${bold}**`;
    }
  }
}
