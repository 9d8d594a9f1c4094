import { readFile, stat } from "node:fs/promises";
import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { JsonObject } from "../../../kit/json.ts";
import { isResourceShortage } from "../../../kit/out-of-resources.ts";
import { realPath } from "../../../kit/real-path.ts";
import type { TextRead } from "../../snapshot/read-text-file.ts";
import { type MarkdownRead, markdownIn, mostBytes } from "../markdown/text-file.ts";
import { numberingComplaints } from "../numbering.ts";
import type { Phase, WorkflowDraft } from "../phased-workflow.ts";
import { phasesIn } from "../single-file.ts";
import { taskListGate } from "./task-list-gate.ts";

/** The reason that the session's options name no usable task list, as a clause without a full stop. */
export type InvalidOptions = { readonly invalidOptions: string; readonly required_action: string };

/** The task list that a session's options name, as read. */
export type NamedTaskList =
  | { readonly path: string; readonly file: string; readonly document: MarkdownRead }
  | InvalidOptions;

/** Reads the task list in the options, inside the project area only. */
export async function readTaskList(
  projectArea: string,
  options: JsonObject,
  optionName: string | undefined,
): Promise<NamedTaskList> {
  const named = [optionName ?? "tasks", ...otherNames]
    .map((name) => (Object.hasOwn(options, name) ? options[name] : undefined))
    .find((value) => value !== undefined && value !== null);
  if (named === undefined) return noTaskList;
  if (typeof named !== "string" || named.trim() === "")
    return invalid("the option that names the task list must be the path of a Markdown file");
  const found = await pathInside(projectArea, named.trim());
  if ("why" in found) return invalid(found.why);
  const { path } = found;
  const file = relative(projectArea, path).split(sep).join("/");
  return { path, file, document: markdownIn(await readWhole(path)) };
}

/** Reads the phases of a dynamic workflow from its task list. */
export function phasesInTaskList(
  tasks: NamedTaskList,
  fixed: readonly Phase[],
): Pick<WorkflowDraft, "phases" | "lines" | "complaints"> | InvalidOptions {
  if ("invalidOptions" in tasks) return tasks;
  const { path, file, document } = tasks;
  if ("unusable" in document) return invalid(`the task list cannot be used: ${document.unusable}`);
  const { phases, lines, complaints, isWhole } = phasesIn(document, { path, file, source: file }, taskListGate, true);
  if (isWhole) return invalid("the task list has no headings such as `Phase 1: Name`");
  const numbers = [...fixed, ...phases].map(({ number }) => number);
  return { phases, lines, complaints: [...complaints, ...numberingComplaints(numbers, path)] };
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

/** Resolves a path, with its links, inside the project area and outside hidden folders. */
async function pathInside(
  projectArea: string,
  named: string,
): Promise<{ readonly path: string } | { readonly why: string }> {
  if (named.includes("\0") || named.split(/[\\/]/).includes(".."))
    return { why: "the path of the task list must not contain .." };
  const outside = { why: "the task list must be inside the project area and not in a hidden folder" };
  const asked = resolve(projectArea, named);
  if (!isInside(projectArea, asked)) return outside;
  const isFolder = await stat(asked).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const path = isFolder ? join(asked, "tasks.md") : asked;
  const [area, real] = [await realPath(projectArea), await realPath(path)];
  if (area === undefined || real === undefined) return { why: "the task list does not exist" };
  if (!isInside(area, real)) return outside;
  const isMarkdown = [".md", ".markdown"].includes(extname(path).toLowerCase());
  return isMarkdown ? { path } : { why: "the task list must be a Markdown file (.md)" };
}

function isInside(area: string, path: string): boolean {
  const parts = relative(area, path).split(sep);
  return !isAbsolute(relative(area, path)) && !parts.some((part) => part.startsWith("."));
}

async function readWhole(path: string): Promise<TextRead> {
  try {
    const { size } = await stat(path);
    if (size > mostBytes) return { unreadable: `it is larger than ${mostBytes / 1024} KB` };
    return { value: (await readFile(path, "utf8")).replace(/^\uFEFF/, "") };
  } catch (error) {
    if (isResourceShortage(error)) throw error;
    return { unreadable: "it cannot be read" };
  }
}
