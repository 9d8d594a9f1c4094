import { extname, isAbsolute, join, relative, resolve, sep } from "node:path";
import type { JsonObject } from "../../../evidence/json.ts";
import { isFolder } from "../../folder.ts";
import { realPathOf } from "../../stand.ts";
import type { Complaint } from "../complaint.ts";
import { readMarkdown } from "../markdown/text-file.ts";
import { numberingComplaints } from "../numbering.ts";
import type { Phase } from "../phased-workflow.ts";
import { phasesIn } from "../single-file.ts";
import { taskListGate } from "./task-list-gate.ts";

/** The session's options lack a task list, or name one that cannot be used: why, as a clause without a full stop. */
export type InvalidOptions = { readonly invalidOptions: string; readonly required_action: string };

/** Reads the phases of a dynamic workflow out of the task list that the options name, inside the project area only. */
export function readTaskList(
  projectArea: string,
  options: JsonObject,
  optionName: string | undefined,
  fixed: readonly Phase[],
): { readonly phases: readonly Phase[]; readonly complaints: readonly Complaint[] } | InvalidOptions {
  const named = [optionName ?? "tasks", ...otherNames]
    .map((name) => (Object.hasOwn(options, name) ? options[name] : undefined))
    .find((value) => value !== undefined && value !== null);
  if (named === undefined) return invalid("the workflow takes its phases from a task list, and the options name none");
  if (typeof named !== "string" || named.trim() === "")
    return invalid("the option that names the task list must be the path of a Markdown file");
  const found = pathInside(projectArea, named.trim());
  if ("why" in found) return invalid(found.why);
  const document = readMarkdown(found.path);
  if ("unusable" in document) return invalid(`the task list cannot be used: ${document.unusable}`);
  const file = relative(projectArea, found.path).split(sep).join("/");
  const { phases, complaints } = phasesIn(document, { path: found.path, file, source: file }, taskListGate);
  if (phases.length === 0) return invalid("the task list has no headings such as `Phase 1: Name`");
  if (fixed.length === 0) return { phases, complaints };
  const numbers = [...fixed, ...phases].map(({ number }) => number);
  const isTwice = complaints.some(({ code }) => code === "duplicate-phase");
  const own = complaints.filter(({ code }) => code !== "missing-phase");
  return { phases, complaints: [...own, ...numberingComplaints(numbers, found.path, isTwice)] };
}

const otherNames = ["tasks", "tasks_file", "tasks_path", "task_list", "spec_path", "spec"];

function invalid(why: string): InvalidOptions {
  return {
    invalidOptions: why,
    required_action:
      'Call start_workflow again with options such as {"tasks": "docs/tasks.md"}: a Markdown file inside the project area.',
  };
}

/** Where a path leads, if that is inside the project area and in no hidden folder, links included. */
function pathInside(projectArea: string, named: string): { readonly path: string } | { readonly why: string } {
  if (named.includes("\0") || named.split(/[\\/]/).includes(".."))
    return { why: "the path of the task list must not lead upwards" };
  const outside = { why: "the task list must lie inside the project area, in no hidden folder" };
  const asked = resolve(projectArea, named);
  if (!isInside(projectArea, asked)) return outside;
  const path = isFolder(asked) ? join(asked, "tasks.md") : asked;
  const [area, real] = [realPathOf(projectArea), realPathOf(path)];
  if (area === undefined || real === undefined) return { why: "the task list is not there" };
  if (!isInside(area, real)) return outside;
  const isMarkdown = [".md", ".markdown"].includes(extname(path).toLowerCase());
  return isMarkdown ? { path } : { why: "the task list must be a Markdown file (.md)" };
}

function isInside(area: string, path: string): boolean {
  const parts = relative(area, path).split(sep);
  return !isAbsolute(relative(area, path)) && !parts.some((part) => part.startsWith("."));
}
