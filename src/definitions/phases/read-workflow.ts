import { dirname, join, relative, sep } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import type { PhasedWorkflowReading } from "../../engine/ports/phased.ts";
import { defined } from "../../kit/defined.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { digestOf, type JsonObject } from "../../kit/json.ts";
import { callProblems, callsOf } from "./called-workflows.ts";
import type { PhasedWorkflow, WorkflowDraft } from "./phased-workflow.ts";
import { type PhasedRead, readPhased, readTaskListOf, taskListOption } from "./read-phased.ts";

/** Reads a workflow whole, or says why it cannot start, without revealing anything from a phase. */
export async function readWorkflow(
  definitions: DefinitionSnapshot,
  projectArea: string,
  type: string,
  options: JsonObject,
): Promise<PhasedWorkflowReading<PhasedWorkflow>> {
  const tasks = await readTaskListOf(definitions, projectArea, type, options);
  return readingOf(definitions, readPhased(definitions, type, tasks), projectArea, type);
}

/** Reads a workflow as `readWorkflow` does; undefined if its phases come from a task list. */
export function readFixedWorkflow(
  definitions: DefinitionSnapshot,
  type: string,
): PhasedWorkflowReading<PhasedWorkflow> | undefined {
  if (taskListOption(definitions, type) !== undefined) return undefined;
  return readingOf(definitions, readPhased(definitions, type), definitions.folder, type);
}

function readingOf(
  definitions: DefinitionSnapshot,
  { draft, place, invalidOptions }: PhasedRead,
  projectArea: string,
  type: string,
): PhasedWorkflowReading<PhasedWorkflow> {
  if (draft === undefined || place === undefined) return { unknown: true };
  const closing = draft.complaints.find(({ closes }) => closes);
  if (closing !== undefined && isPathInside(place.path, closing.path))
    return {
      problem: { code: closing.code, file: safePath(closing.path, place.path, place.file), message: closedMessage },
    };
  if (closing !== undefined) return invalidTaskList(relative(projectArea, closing.path).split(sep).join("/"), type);
  if (invalidOptions !== undefined) return invalidOptions;
  const [problem] = callProblems(definitions, draft);
  if (problem !== undefined) {
    const path = join(dirname(definitions.folder), problem.file);
    return { problem: { code: "broken-call", file: safePath(path, place.path, place.file), message: closedMessage } };
  }
  const { title, description, phases, inputs, outcomes } = draft;
  const calls = calledBy(definitions, draft);
  const workflow = { type, title, description, phases, ...defined({ inputs, outcomes, calls }) };
  return { workflow: { ...workflow, hash: digestOf(workflow) }, ...defined({ inputs }) };
}

/** The workflows that a usable workflow calls, whole; undefined if it calls none. */
function calledBy(definitions: DefinitionSnapshot, { phases, builtIn }: WorkflowDraft): PhasedWorkflow["calls"] {
  const named = [...new Set(callsOf(phases).map(({ workflow }) => workflow))].flatMap((name) => {
    const own = builtIn?.[name];
    if (own !== undefined) return [[name, own] as const];
    const reading = readingOf(definitions, readPhased(definitions, name), definitions.folder, name);
    return "workflow" in reading ? [[name, reading.workflow] as const] : [];
  });
  return named.length === 0 ? undefined : Object.fromEntries(named);
}

/** The refusal for an invalid task list, which its author fixes; a plain check does not read it. */
function invalidTaskList(file: string, type: string): PhasedWorkflowReading<PhasedWorkflow> {
  const message = "the task list named in the options has invalid phases or gates";
  const fix = `Ask the author to fix ${file}; waymark check --explain ${type} with the same --options shows the problems.`;
  return { problem: { code: "requirement-not-understood", file, message, fix } };
}

/** Reaches the assistant, so it must reveal nothing from a phase. */
const closedMessage = "the workflow cannot start until its author fixes what waymark check reports";

/** The path of the file to fix, cut before a folder or task whose name could reveal a phase. */
function safePath(path: string, workflow: string, shown: string): string {
  const inside = relative(workflow, path)
    .split(sep)
    .filter((part) => part !== "");
  const plain = ["metadata.json", "phases", "phase.md", "gate-definition.yaml", "gate-definition.yml"];
  const end = inside.findIndex((part) => !plain.includes(part) && !/^\d+$/.test(part));
  return [shown, ...inside.slice(0, end === -1 ? inside.length : end)].join("/");
}
