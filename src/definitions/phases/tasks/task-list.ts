import { readdir, readFile, stat } from "node:fs/promises";
import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { maxItems } from "../../../gates/calls.ts";
import { isPathInside } from "../../../kit/is-path-inside.ts";
import type { JsonObject } from "../../../kit/json.ts";
import { isResourceShortage } from "../../../kit/out-of-resources.ts";
import { readPathProblem } from "../../../kit/portable-path.ts";
import { realPath } from "../../../kit/real-path.ts";
import { readTaskList, tasksByPhase } from "../../items/tasks-by-phase.ts";
import type { TextRead } from "../../snapshot/read-text-file.ts";
import { type MarkdownRead, markdownIn, mostBytes } from "../markdown/text-file.ts";
import { numberingComplaints } from "../numbering.ts";
import type { Phase, WorkflowDraft } from "../phased-workflow.ts";
import { phasesIn } from "../single-file.ts";
import { phaseOfTasks, taskWorkflows, withItems } from "./task-items.ts";
import { taskListGate } from "./task-list-gate.ts";

/** The reason that the session's options name no usable task list, as a clause without a full stop. */
export type InvalidOptions = { readonly invalidOptions: string; readonly required_action: string };

/** The task list that a session's options name, as read. */
export type NamedTaskList =
  | { readonly path: string; readonly file: string; readonly document: MarkdownRead; readonly isFolder?: true }
  | InvalidOptions;

/** Reads the task list in the options, inside the project area only. */
export async function readNamedList(
  projectArea: string,
  options: JsonObject,
  optionName: string | undefined,
  definitions: string,
): Promise<NamedTaskList> {
  const named = [optionName ?? "tasks", ...otherNames]
    .map((name) => (Object.hasOwn(options, name) ? options[name] : undefined))
    .find((value) => value !== undefined && value !== null);
  if (named === undefined) return noTaskList;
  if (typeof named !== "string" || named.trim() === "")
    return invalid("the option that names the task list must be the path of a Markdown file");
  const found = await pathInside(projectArea, named.trim(), definitions);
  if ("why" in found) return invalid(found.why);
  const { path } = found;
  const file = relative(projectArea, path).split(sep).join("/");
  if (found.isFolder) {
    const read = readTaskList(await readPages(path));
    if ("problem" in read) return invalid(`the folder of the task list ${read.problem}`);
    return { path, file, document: { unusable: "it is a folder" }, isFolder: true };
  }
  return { path, file, document: markdownIn(await readWhole(path)) };
}

/** Reads the phases of a dynamic workflow from its task list: its phases, or one step; their tasks are items. */
export function phasesInTaskList(
  tasks: NamedTaskList,
  fixed: readonly Phase[],
): Pick<WorkflowDraft, "phases" | "lines" | "complaints" | "builtIn"> | InvalidOptions {
  if ("invalidOptions" in tasks) return tasks;
  const { path, file, document, isFolder } = tasks;
  const asOneStep = { phases: [phaseOfTasks(file, (fixed.at(-1)?.number ?? 0) + 1)], lines: [], complaints: [] };
  if (isFolder) return { ...asOneStep, builtIn: taskWorkflows };
  if ("unusable" in document) return invalid(`the task list cannot be used: ${document.unusable}`);
  const { phases, lines, complaints, isWhole } = phasesIn(document, { path, file, source: file }, taskListGate, true);
  if (isWhole) {
    const read = readTaskList([{ name: "", text: document.source }]);
    return "problem" in read ? invalid(`the task list ${read.problem}`) : { ...asOneStep, builtIn: taskWorkflows };
  }
  const numbers = [...fixed, ...phases].map(({ number }) => number);
  // A list that goes on where another ended begins with a later phase.
  const latest = fixed.length === 0 ? Number.POSITIVE_INFINITY : 1;
  const tasksOf = tasksByPhase(document.source, document);
  return {
    phases: phases.map((phase) => {
      const own = lines.filter((one) => one.phase === phase.number);
      return withItems(phase, own, tasksOf.get(phase.number) ?? { tasks: [], unread: [] }, file);
    }),
    lines,
    complaints: [...complaints, ...numberingComplaints(numbers, path, latest)],
    builtIn: taskWorkflows,
  };
}

const otherNames = ["tasks", "tasks_file", "tasks_path", "task_list", "spec_path", "spec"];

function invalid(why: string): InvalidOptions {
  return {
    invalidOptions: why,
    required_action:
      'Call start_workflow again with options such as {"tasks": "docs/tasks.md"}: a Markdown file inside the project area.',
  };
}

/** The refusal of options without a task list. */
export const noTaskList = invalid("the workflow takes its phases from a task list, but the options name none");

/** Resolves a path, with its links, inside the project area and outside the definitions. */
async function pathInside(
  projectArea: string,
  named: string,
  definitions: string,
): Promise<{ readonly path: string; readonly isFolder: boolean } | { readonly why: string }> {
  if (named.includes("\0") || named.split(/[\\/]/).includes(".."))
    return { why: "the path of the task list must not contain .." };
  const outside = { why: "the task list must be Markdown inside the project area, and not in .git or the definitions" };
  const asked = resolve(projectArea, named);
  if (!isInside(projectArea, asked)) return outside;
  const isFolder = await stat(asked).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const inFolder = join(asked, "tasks.md");
  const hasPage = isFolder && (await realPath(inFolder)) !== undefined;
  const path = hasPage ? inFolder : asked;
  const [area, real] = [await realPath(projectArea), await realPath(path)];
  if (area === undefined || real === undefined) return { why: "the task list does not exist" };
  const own = (await realPath(definitions)) ?? definitions;
  if (!isInside(area, real) || (!isPathInside(own, area) && isPathInside(own, real))) return outside;
  if (isFolder && !hasPage) return { path, isFolder };
  const isMarkdown = [".md", ".markdown"].includes(extname(path).toLowerCase());
  return isMarkdown ? { path, isFolder: false } : { why: "the task list must be a Markdown file (.md)" };
}

function isInside(area: string, path: string): boolean {
  const inside = relative(area, path).split(sep).join("/");
  const page = /\.(?:md|markdown)$/i.test(inside) ? inside : `${inside}/tasks.md`.replace(/^\//, "");
  return !isAbsolute(inside) && readPathProblem(page) === undefined;
}

/** The Markdown pages of a folder, as far as they can be read. */
async function readPages(folder: string): Promise<readonly { readonly name: string; readonly text: string }[]> {
  const names = (await readdir(folder)).filter((name) => name.toLowerCase().endsWith(".md")).slice(0, maxItems);
  const read = names.map(async (name) => ({ name, found: await readWhole(join(folder, name)) }));
  return (await Promise.all(read)).flatMap(({ name, found }) =>
    "value" in found ? [{ name, text: found.value }] : [],
  );
}

async function readWhole(path: string): Promise<TextRead> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) return { unreadable: "it is not a file" };
    if (stats.size > mostBytes) return { unreadable: `it is larger than ${mostBytes / 1024} KB` };
    return { value: (await readFile(path, "utf8")).replace(/^\uFEFF/, "") };
  } catch (error) {
    if (isResourceShortage(error)) throw error;
    return { unreadable: "it cannot be read" };
  }
}
