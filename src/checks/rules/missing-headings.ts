import type { Finding } from "./finding.ts";

/** Finds the headings a Markdown text lacks; one written with `#`s must have that level. */
export function findMissingHeadings(text: string, wanted: readonly string[]): Finding[] {
  const present = headingsOf(text);
  return wanted
    .filter((heading) => {
      const { level, title } = headingIn(heading) ?? { level: undefined, title: comparable(heading) };
      return !present.some((found) => found.title === title && (level === undefined || found.level === level));
    })
    .map((heading) => ({ detail: `the heading "${heading.trim()}" is missing` }));
}

type Heading = { readonly level: number; readonly title: string };

/** The headings outside code fences. */
function headingsOf(text: string): Heading[] {
  const headings: Heading[] = [];
  let fence = "";
  let above = "";
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== "") {
      const closes = mark?.startsWith(fence) && line.trim() === mark;
      if (closes) fence = "";
      continue;
    }
    if (mark !== undefined) fence = mark;
    const heading = headingIn(line) ?? underlined(above, line);
    if (heading !== undefined) headings.push(heading);
    above = mark === undefined && heading === undefined ? line : "";
  }
  return headings;
}

function headingIn(line: string): Heading | undefined {
  const marks = /^ {0,3}(#{1,6})(?=\s|$)/.exec(line);
  if (marks?.[1] === undefined) return undefined;
  const words = line.slice(marks[0].length).trim().split(/\s/);
  const isClosed = words.length > 1 && /^#+$/.test(words.at(-1) ?? "");
  return { level: marks[1].length, title: comparable((isClosed ? words.slice(0, -1) : words).join(" ")) };
}

/** A heading underlined with `===` or `---`. */
function underlined(above: string, line: string): Heading | undefined {
  if (above.trim() === "" || !/^ {0,3}(=+|-+)$/.test(line.trimEnd())) return undefined;
  return { level: line.includes("=") ? 1 : 2, title: comparable(above) };
}

function comparable(title: string): string {
  return title.replaceAll(/[*_`]/g, "").trim().replaceAll(/\s+/g, " ").normalize("NFC").toLowerCase();
}
