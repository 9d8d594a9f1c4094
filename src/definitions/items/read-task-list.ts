import { freeName } from "../../workflow/items.ts";
import { type MarkdownDocument, parseMarkdown } from "../phases/markdown/markdown.ts";
import { boxedTasks } from "./boxed-tasks.ts";
import { fileTasks } from "./file-tasks.ts";
import type { FoundTask, FoundTasks, ListedTask, TaskList } from "./found-task.ts";
import { headedTasks } from "./headed-tasks.ts";

/** Reads a list of tasks in any of the known dialects: one page, or a folder of pages. */
export function readTaskList(
  files: readonly { readonly name: string; readonly text: string }[],
): TaskList | { readonly problem: string } {
  const [only] = files;
  if (only === undefined || only.name !== "") return finishedTasks(fileTasks(files));
  const found = tasksOnPage(only.text);
  return "problem" in found ? found : finishedTasks(found);
}

/** Finds the tasks of a page. */
export function tasksOnPage(text: string, read?: MarkdownDocument): FoundTasks | { readonly problem: string } {
  const plain = withoutOuterIndent(text);
  const document = plain === text && read !== undefined ? read : parseMarkdown(plain);
  if ("unusable" in document) return { problem: `cannot be used: ${document.unusable}` };
  return headedTasks(document) ?? boxedTasks(document);
}

/** Takes away an indentation that all boxes of a list have: Markdown would read them as code. */
function withoutOuterIndent(text: string): string {
  let [indent, isFenced, isList]: [string, boolean, boolean] = ["", false, false];
  const lines = text.split("\n").map((line) => {
    if (/^ {0,3}(?:```|~~~)/.test(line)) isFenced = !isFenced;
    if (isFenced || line.trim() === "") return line;
    const [, own = ""] = /^((?:\t| {4})[ \t]*)[-*+][ \t]+\[[^\]\n]?\]/.exec(line) ?? [];
    if (own !== "" && !isList) indent = own;
    if (indent !== "" && !line.startsWith(indent)) indent = "";
    isList = indent !== "" || /^\s*(?:[-*+]|\d+[.)])\s/.test(line) || (isList && /^\s/.test(line));
    return line.slice(indent.length);
  });
  return lines.join("\n");
}

/** Names the tasks that were found, and resolves what each waits for. */
export function finishedTasks({ tasks, parents, unread }: FoundTasks): TaskList | { readonly problem: string } {
  if (tasks.length === 0) {
    const lines = unread.slice(0, 3).map(({ line, text }) => `line ${line} "${text}"`);
    return { problem: `has no task${lines.length === 0 ? "" : ` (not read as one: ${lines.join(", ")})`}` };
  }
  const names = new Set<string>();
  const named = tasks.map((task) => {
    const id = freeName(task.id, names);
    names.add(id);
    return { ...task, id };
  });
  return { tasks: withDependencies(named, parents), unread };
}

/** Resolves what each task waits for: the tasks it names, otherwise the one before it, or the whole run before it. */
function withDependencies(tasks: readonly FoundTask[], parents: FoundTasks["parents"]): readonly ListedTask[] {
  const ids = tasks.map(({ id }) => id);
  let before: readonly string[] = [];
  let run: { readonly block: number; readonly after: readonly string[]; readonly ids: string[] } | undefined;
  return tasks.map(({ named, isParallel = false, block, ...task }) => {
    if (!isParallel || run?.block !== block) {
      before = run?.ids ?? before;
      run = undefined;
    }
    let after = before;
    if (isParallel) {
      run ??= { block, after: before, ids: [] };
      run.ids.push(task.id);
      after = run.after;
    } else before = [task.id];
    const own = named?.flatMap((name) => resolved(name, ids, parents));
    return { ...task, dependsOn: [...new Set(own ?? after)].filter((id) => id !== task.id) };
  });
}

/** The tasks that a name means: one, the children of a parent, or one whose number is written differently. */
function resolved(name: string, ids: readonly string[], parents: FoundTasks["parents"]): readonly string[] {
  if (ids.includes(name)) return [name];
  const children = parents.get(name);
  if (children !== undefined) return children;
  const number = Number(name.replace(/^\D+/, ""));
  const same = ids.find((id) => /^\D*\d+$/.test(id) && Number(id.replace(/^\D+/, "")) === number);
  return [same ?? name];
}
