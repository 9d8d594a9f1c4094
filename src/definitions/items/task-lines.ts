import type { UnreadLine } from "./found-task.ts";

/** The start of a list item with a box: the mark of the box, and the text after it. Kiro marks optional tasks with a star. */
export const boxed = /^(?:[-*+]|\d+[.)])[ \t]+\[([ xX~/>-]?)\]\*?[ \t]+([^\n]*)/;

/** The number of a task: `T001`, `1.2`, `3.`, `Task 4:`. */
export const numbered =
  /^(?:\*\*|`)?(?:Task\s+)?#?(T\d{1,5}[a-z]?|TXXX|\d{1,4}(?:\.\d{1,4})*)(?:\*\*|`)?(?:[.:)]|\s|$)[.:)\s–—-]*(.*)$/i;

/** Tells if a number is one of spec-kit's, such as `T001`. */
export const isTNumber = (id: string): boolean => /^T/i.test(id);

/** The start of a line before its text: quotes and cells, then a bullet, a number or the mark of a heading, then a box. */
const lead =
  /^\s*(?:[>|]\s*)*(?:<li>\s*)?((?:[-*+•–—]|\d+[.)]|#{1,6})\s+)?(\[[^\]]?\]\*?\s*|[☐☑☒]\s*|<input\b[^>]*checkbox[^>]*>\s*)?(.*)$/;
/** A line that names itself a task: `**Task 2: Name**`, `### Task: Name`, `Task B - Name`. */
const calledTask = /^[*_`]*Task(?:\s+#?(\d+(?:\.\d+)*[a-z]?|[A-Z]))?\s*(?:[:.)]|[–—-]\s)\W*\w/;

/** Lines that begin like a task whose number was not read. In a plan whose tasks are headings, no box is a task, and inside a task only a line that calls itself one could be. */
export function unreadLines(
  text: string,
  known: ReadonlySet<string>,
  isInside?: (line: number) => boolean,
): readonly UnreadLine[] {
  const isKnown = (id: string | undefined): boolean =>
    id !== undefined && (known.has(id) || known.has(id.toUpperCase()));
  const couldBe = (line: Line, at: number): boolean => {
    const called = calledTask.exec(line.rest);
    if (called !== null) return !isKnown(called[1]);
    if (isInside !== undefined) return !isInside(at) && isTaskLine(line);
    return isTaskLine(line) && !isKnown(line.id) && !(line.id === undefined && line.isBox);
  };
  return text
    .split("\n")
    .flatMap((written, at): UnreadLine[] =>
      couldBe(lineOf(written), at + 1) ? [{ line: at + 1, text: written.trim().slice(0, 80) }] : [],
    );
}

type Line = {
  readonly mark: string;
  readonly box: string;
  readonly rest: string;
  readonly id: string | undefined;
  readonly title: string;
  /** It is a box of a list in Markdown. */
  readonly isBox: boolean;
};

function lineOf(written: string): Line {
  const [, mark = "", box = "", rest = ""] = lead.exec(written) ?? [];
  const [, id, title = ""] = numbered.exec(rest) ?? [];
  return { mark, box, rest, id, title, isBox: boxed.test(written.trim().replace(/^(?:>\s*)+/, "")) };
}

/** Tells if a line has a box, or a number as tasks have. */
function isTaskLine({ mark, box, id, title }: Line): boolean {
  if (id === undefined) return box !== "";
  if (box === "" && !isTNumber(id) && (mark === "" || !id.includes("."))) return false;
  return title !== "" && !/^(?:[-–,→&/]|and\b|to\b|before\b|after\b|can\b|\()/i.test(title);
}
