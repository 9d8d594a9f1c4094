import { relative, sep } from "node:path";
import type { PhasedReading } from "../../engine/phased-ports.ts";
import { digestOf, type JsonObject } from "../../evidence/json.ts";
import { liesIn } from "../../paths/lies-in.ts";
import type { PhasedWorkflow } from "./phased-workflow.ts";
import { readPhased } from "./read-phased.ts";

/** Reads a workflow whole, or says why it cannot be started: nothing that stands in a phase is in that. */
export function readWorkflow(
  definitions: string,
  projectArea: string,
  type: string,
  options: JsonObject,
): PhasedReading<PhasedWorkflow> {
  const { draft, place, invalidOptions } = readPhased(definitions, projectArea, type, options);
  if (draft === undefined || place === undefined) return { unknown: true };
  const closing = draft.complaints.find(({ closes }) => closes);
  if (closing !== undefined && liesIn(place.path, closing.path))
    return {
      problem: { code: closing.code, file: shownPlace(closing.path, place.path, place.file), message: closedMessage },
    };
  if (closing !== undefined) return unusableList(relative(projectArea, closing.path).split(sep).join("/"), type);
  if (invalidOptions !== undefined) return invalidOptions;
  const { title, description, phases } = draft;
  const workflow = { type, title, description, phases };
  return { workflow: { ...workflow, hash: digestOf(workflow) } };
}

/** A task list is no definition: whoever wrote it mends it, and a plain check does not look at it. */
function unusableList(file: string, type: string): PhasedReading<PhasedWorkflow> {
  const message = "the task list that the options name has phases or gates that cannot be used as they stand";
  const fix = `Ask the author to mend ${file}: waymark check --explain ${type} with the same --options shows what is wrong.`;
  return { problem: { code: "requirement-not-understood", file, message, fix } };
}

/** Nothing that stands in a phase: this reaches the assistant. */
const closedMessage = "the workflow cannot be started as it stands; waymark check shows its author what to mend";

/** The file to mend, as far as its path tells nothing of a phase: folders and tasks may be named after what they hold. */
function shownPlace(path: string, workflow: string, shown: string): string {
  const inside = relative(workflow, path)
    .split(sep)
    .filter((part) => part !== "");
  const plain = ["metadata.json", "phases", "phase.md", "gate-definition.yaml", "gate-definition.yml"];
  const end = inside.findIndex((part) => !plain.includes(part) && !/^\d+$/.test(part));
  return [shown, ...inside.slice(0, end === -1 ? inside.length : end)].join("/");
}
