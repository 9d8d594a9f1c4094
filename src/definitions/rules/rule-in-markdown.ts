import type { Rule, RuleExample } from "../../gates/rule.ts";
import { frontMatterIn } from "../../kit/front-matter.ts";

/** The headings for what to do, and for what not to do. */
export const doHeading: RegExp = /^#{1,6}\s+(?:✅\s*)?do(?:s)?\s*:?\s*$/i;
export const dontHeading: RegExp = /^#{1,6}\s+(?:❌\s*)?(?:don['’]?ts?|do not)\s*:?\s*$/i;

/** Parses a Markdown rule: the first heading and paragraph describe it, `## Do` and `## Don't` hold examples. */
export function ruleInMarkdown(text: string, fileName: string): Omit<Rule, "file"> | undefined {
  const lines = text.slice(frontMatterIn(text)?.end).split("\n");
  const title = lines.find((line) => /^#{1,6}\s/.test(line) && !doHeading.test(line) && !dontHeading.test(line));
  const description = [title?.replace(/^#+\s+/, "").trim() ?? "", firstParagraph(lines)]
    .filter((part) => part !== "")
    .join(": ");
  const examples = examplesIn(lines);
  if (description === "" && examples.length === 0) return undefined;
  const notes = notesIn(lines, [description, ...examples.flatMap((example) => [example.do ?? "", example.dont ?? ""])]);
  return { name: fileName, description, ...(notes.length === 0 ? {} : { notes }), examples, checks: [] };
}

/** The lines that are neither description nor example, shown as they are. */
function notesIn(lines: readonly string[], said: readonly string[]): string[] {
  const isSaid = (line: string): boolean => {
    const plain = (itemIn(line) ?? line)
      .replaceAll("**", "")
      .replace(/^#+\s+/, "")
      .trim();
    const words = sideOf(plain)?.text ?? plain;
    return doHeading.test(line) || dontHeading.test(line) || said.some((text) => text.includes(words));
  };
  return lines.filter((line) => line.trim() !== "" && !isSaid(line));
}

/** The text before the first example, up to a blank line. */
function firstParagraph(lines: readonly string[]): string {
  const from = lines.findIndex((line) => /^[^#\s]/.test(line) || doHeading.test(line) || dontHeading.test(line));
  const rest = from === -1 ? [] : lines.slice(from);
  const end = rest.findIndex((line) => line.trim() === "" || /^#/.test(line) || itemIn(line) !== undefined);
  return rest
    .slice(0, end === -1 ? rest.length : end)
    .join(" ")
    .trim();
}

type Side = "do" | "dont";

function examplesIn(lines: readonly string[]): RuleExample[] {
  const found: { side: Side; text: string }[] = [];
  let section: Side | undefined;
  let isOpen = false;
  for (const line of lines) {
    if (/^#{1,6}\s/.test(line)) {
      section = doHeading.test(line) ? "do" : dontHeading.test(line) ? "dont" : undefined;
      isOpen = false;
      continue;
    }
    const item = itemIn(line);
    const marked = sideOf(item ?? line);
    const side = marked?.side ?? section;
    const last = found.at(-1);
    if (side !== undefined && (item !== undefined || marked !== undefined || !isOpen)) {
      const text = marked?.text ?? item ?? line.trim();
      isOpen = text !== "";
      if (isOpen) found.push({ side, text });
    } else if (isOpen && last !== undefined && (section !== undefined || /^\s+\S/.test(line))) {
      // A line below an item belongs to it: a longer text, or code.
      last.text = `${last.text}\n${line.replace(/^ {2}/, "")}`.trimEnd();
    } else {
      isOpen = false;
    }
  }
  return found.map(({ side, text }) => (side === "do" ? { do: text } : { dont: text }));
}

function itemIn(line: string): string | undefined {
  return /^\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)$/.exec(line)?.[1]?.trim();
}

/** Parses a line that names its own side: `Do: …`, `**Don't:** …`, `❌ …`. */
function sideOf(line: string): { side: Side; text: string } | undefined {
  const plain = line.trim().replaceAll("**", "");
  const right = /^(?:✅\s*(?:do:)?|do:)\s*(.+)$/i.exec(plain)?.[1];
  if (right !== undefined) return { side: "do", text: right.trim() };
  const wrong = /^(?:❌\s*(?:don['’]?t:)?|don['’]?t:|do not:)\s*(.+)$/i.exec(plain)?.[1];
  return wrong === undefined ? undefined : { side: "dont", text: wrong.trim() };
}
