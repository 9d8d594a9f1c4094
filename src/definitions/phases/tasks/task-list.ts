import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { JsonObject } from "../../../kit/json.ts";
import { loadedRealPath } from "../../snapshot/file-entry.ts";
import { isFolder } from "../../snapshot/list-folder.ts";
import { readMarkdown } from "../markdown/text-file.ts";
import { numberingComplaints } from "../numbering.ts";
import type { Phase, WorkflowDraft } from "../phased-workflow.ts";
import { phasesIn } from "../single-file.ts";
import type { WorkflowProblem } from "../workflow-problem.ts";
import { taskListGate } from "./task-list-gate.ts";

/** The reason that the session's options name no usable task list, as a clause without a full stop. */
export type InvalidOptions = { readonly invalidOptions: string; readonly required_action: string };

/** Reads the phases of a dynamic workflow from the task list in the options, inside the project area only. */
export function readTaskList(
  projectArea: string,
  options: JsonObject,
  optionName: string | undefined,
  fixed: readonly Phase[],
):
  | {
      readonly phases: readonly Phase[];
      readonly lines: WorkflowDraft["lines"];
      readonly complaints: readonly WorkflowProblem[];
    }
  | InvalidOptions {
  const named = [optionName ?? "tasks", ...otherNames]
    .map((name) => (Object.hasOwn(options, name) ? options[name] : undefined))
    .find((value) => value !== undefined && value !== null);
  if (named === undefined) return invalid("the workflow takes its phases from a task list, but the options name none");
  if (typeof named !== "string" || named.trim() === "")
    return invalid("the option that names the task list must be the path of a Markdown file");
  const found = pathInside(projectArea, named.trim());
  if ("why" in found) return invalid(found.why);
  const document = readMarkdown(found.path);
  if ("unusable" in document) return invalid(`the task list cannot be used: ${document.unusable}`);
  const file = relative(projectArea, found.path).split(sep).join("/");
  const { phases, lines, complaints, isWhole } = phasesIn(
    document,
    { path: found.path, file, source: file },
    taskListGate,
    true,
  );
  if (isWhole) return invalid("the task list has no headings such as `Phase 1: Name`");
  const numbers = [...fixed, ...phases].map(({ number }) => number);
  return { phases, lines, complaints: [...complaints, ...numberingComplaints(numbers, found.path, false)] };
}

const otherNames = ["tasks", "tasks_file", "tasks_path", "task_list", "spec_path", "spec"];

function invalid(why: string): InvalidOptions {
  return {
    invalidOptions: why,
    required_action:
      'Call start_workflow again with options such as {"tasks": "docs/tasks.md"}: a Markdown file inside the project area.',
  };
}

/** Resolves a path, with its links, inside the project area and outside hidden folders. */
function pathInside(projectArea: string, named: string): { readonly path: string } | { readonly why: string } {
  if (named.includes("\0") || named.split(/[\\/]/).includes(".."))
    return { why: "the path of the task list must not contain .." };
  const outside = { why: "the task list must be inside the project area and not in a hidden folder" };
  const asked = resolve(projectArea, named);
  if (!isInside(projectArea, asked)) return outside;
  const path = isFolder(asked) ? join(asked, "tasks.md") : asked;
  const [area, real] = [loadedRealPath(projectArea), loadedRealPath(path)];
  if (area === undefined || real === undefined) return { why: "the task list does not exist" };
  if (!isInside(area, real)) return outside;
  const isMarkdown = [".md", ".markdown"].includes(extname(path).toLowerCase());
  return isMarkdown ? { path } : { why: "the task list must be a Markdown file (.md)" };
}

function isInside(area: string, path: string): boolean {
  const parts = relative(area, path).split(sep);
  return !isAbsolute(relative(area, path)) && !parts.some((part) => part.startsWith("."));
}
