import type { ListItem } from "mdast";
import type { Line } from "./lines.ts";
import { withoutSign } from "./list-lines.ts";
import { wordsOf } from "./places.ts";

/**
 * Where an entry of a list ends and another text begins, by the number of its line. Markdown takes a line right below an entry
 * for the rest of it, and who writes `**Human Approval**: REQUIRED` there did not mean that.
 */
export function endOfEntry(item: ListItem, lines: readonly Line[]): number {
  const left = item.position?.start.column ?? 1;
  const at = lines.findIndex(
    (line, index) => index > 0 && (isOutdented(line, left) || withoutSign(line) !== undefined || isLabel(line.text)),
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
