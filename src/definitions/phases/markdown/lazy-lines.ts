import type { ListItem, Paragraph } from "mdast";
import type { Line } from "./lines.ts";
import { withoutSign } from "./list-lines.ts";
import { wordsOf } from "./places.ts";

/**
 * Where an entry of a list ends and another text begins, by the number of its line. Markdown takes a line right below an entry
 * for the rest of it, and who writes `**Human Approval**: REQUIRED` there did not mean that.
 */
export function endOfEntry(item: ListItem, paragraph: Paragraph, lines: readonly Line[]): number {
  const outdented = outdentedLines(item, paragraph);
  const at = lines.findIndex(
    (line, index) => index > 0 && (outdented.has(line.line) || withoutSign(line) !== undefined || isLabel(line.text)),
  );
  return at === -1 ? lines.length : at;
}

/** "Optional:" in a line of its own is about what follows, and "Human approval: …" speaks for the phase. */
function isLabel(text: string): boolean {
  const [label = "", rest] = text.split(":");
  const words = wordsOf(label);
  const isChoice = choices.some((one) => {
    const said = one.split(" ").length;
    return words.slice(0, said).join(" ") === one && words.length <= said + 1;
  });
  return (rest?.trim() === "" && isChoice) || (rest !== undefined && words.some((word) => approvals.includes(word)));
}

const choices = ["optional", "required", "mandatory", "recommended", "nice to have", "if applicable"];
const approvals = ["approval", "sign-off"];

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
    const words = wordsOf(before.split(":")[0] ?? "");
    const said = words[0] === "you" ? words.slice(1) : words;
    const isAsking =
      ["required", "evidence", "checkpoint"].includes(words[0] ?? "") || (said[0] === "must" && said[1] === "provide");
    if (start !== undefined && (isFirst || isAsking) && start.column - before.length <= left) found.add(start.line);
    before += "…";
  }
  return found;
}
