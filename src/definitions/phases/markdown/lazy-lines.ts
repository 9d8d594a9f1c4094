import type { ListItem, Paragraph } from "mdast";
import type { Line } from "./lines.ts";
import { withoutSign } from "./list-lines.ts";

/**
 * Where an entry of a list ends and another text begins, by the number of its line. Markdown takes a line right below an entry
 * for the rest of it, and who writes `**Human Approval**: REQUIRED` there did not mean that.
 */
export function endOfEntry(item: ListItem, paragraph: Paragraph, lines: readonly Line[]): number {
  const outdented = outdentedLines(item, paragraph);
  const at = lines.findIndex(
    (line, index) =>
      index > 0 &&
      (outdented.has(line.line) ||
        choice.test(line.text) ||
        withoutSign(line) !== undefined ||
        /^\W*[\p{L} -]*(?:approval|sign-off)[\p{L} ]*\W*:/iu.test(line.text)),
  );
  return at === -1 ? lines.length : at;
}

/** "Optional:" in a line of its own is about what follows. */
const choice = /^\s*(?:optional|required|mandatory|recommended|nice to have|if applicable)(?: \p{L}+)?\s*:\s*$/iu;

/** Lines that begin with a bold label or with "Required:" and stand as far left as the list itself. */
function outdentedLines(item: ListItem, { children }: Paragraph): Set<number> {
  const left = item.position?.start.column ?? 1;
  const found = new Set<number>();
  let before = "";
  for (const child of children) {
    const start = child.position?.start;
    if (child.type === "text") {
      const text = before + child.value;
      before = text.slice(text.lastIndexOf("\n") + 1);
      continue;
    }
    const isFirst = child.type === "strong" && before.trim() === "";
    const isAsking = /^\s*(?:required|evidence|checkpoint|must provide|you must provide)\b[^:]*:?\s*$/i.test(before);
    if (start !== undefined && (isFirst || isAsking) && start.column - before.length <= left) found.add(start.line);
    before += "…";
  }
  return found;
}
