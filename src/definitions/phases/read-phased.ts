import { join } from "node:path";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { defined } from "../../kit/defined.ts";
import type { JsonObject } from "../../kit/json.ts";
import { hidePhases, namesAnyPhase } from "../disclosure/hide-phases.ts";
import { oneLine } from "../files/single-spaced.ts";
import { earlierComplaints } from "./earlier-fields.ts";
import { readMetadata } from "./metadata.ts";
import type { Phase, WorkflowDraft } from "./phased-workflow.ts";
import { readSingleFile } from "./single-file.ts";
import {
  type InvalidOptions,
  type NamedTaskList,
  noTaskList,
  phasesInTaskList,
  readNamedList,
} from "./tasks/task-list.ts";
import { readWorkflowFolder } from "./workflow-folder.ts";
import { type WorkflowLocation, workflowLocations, workflowsNamed } from "./workflow-locations.ts";
import { type WorkflowProblem, workflowProblem } from "./workflow-problem.ts";

/** A workflow as read, valid or not: the engine takes or refuses it, `check` explains it. */
export type PhasedRead = {
  readonly draft?: WorkflowDraft;
  readonly place?: WorkflowLocation;
  /** True if its phases come from a task list named in the session's options. */
  readonly isDynamic?: boolean;
  readonly invalidOptions?: InvalidOptions;
};

/** Reads a phased workflow by one of its names, which becomes its type, with all complaints. */
export function readPhased(definitions: DefinitionSnapshot, type: string, tasks?: NamedTaskList): PhasedRead {
  if (tasks !== undefined) return readWithTasks(definitions, type, tasks);
  return definitions.derived(`phased workflow ${type}`, () => readWithTasks(definitions, type, noTaskList));
}

/** Reads every phased workflow of a definitions folder, by its type. */
export function readAllPhased(definitions: DefinitionSnapshot): ReadonlyMap<string, PhasedRead> {
  const { places } = workflowLocations(definitions);
  return new Map(places.map(({ type }) => [type, readPhased(definitions, type)]));
}

/** The phases of every phased workflow. */
export function allPhases(definitions: DefinitionSnapshot): readonly Phase[] {
  return [...readAllPhased(definitions).values()].flatMap(({ draft }) => draft?.phases ?? []);
}

/** Reads the task list that a session's options name, if the workflow takes its phases from one. */
export async function readTaskListOf(
  definitions: DefinitionSnapshot,
  projectArea: string,
  type: string,
  options: JsonObject,
): Promise<NamedTaskList | undefined> {
  const named = taskListOption(definitions, type);
  return named === undefined ? undefined : readNamedList(projectArea, options, named.optionName, definitions.folder);
}

/** The option that names the task list of a workflow; undefined if its phases do not come from one. */
export function taskListOption(
  definitions: DefinitionSnapshot,
  type: string,
): { readonly optionName: string | undefined } | undefined {
  const [place] = workflowsNamed(workflowLocations(definitions).places, type);
  if (place?.kind !== "folder") return undefined;
  const { metadata } = readMetadata(definitions, join(place.path, "metadata.json"));
  return metadata.isDynamic ? metadata : undefined;
}

function readWithTasks(definitions: DefinitionSnapshot, type: string, tasks: NamedTaskList): PhasedRead {
  const [place, other] = workflowsNamed(workflowLocations(definitions).places, type);
  if (place === undefined) return {};
  const twice = other === undefined ? [] : [sameNameElsewhere(place, other)];
  const finished = (draft: WorkflowDraft): WorkflowDraft =>
    hideRevealed(draft, [...twice, ...earlierComplaints(draft, definitions)], place);
  if (place.kind === "file") return { place, draft: finished(readSingleFile(definitions, type, place)) };
  const { metadata, ...fixed } = readWorkflowFolder(definitions, type, place);
  if (!metadata.isDynamic) return { place, draft: finished(fixed) };
  const listed = phasesInTaskList(tasks, fixed.phases);
  if ("invalidOptions" in listed) return { place, isDynamic: true, draft: finished(fixed), invalidOptions: listed };
  const whole = {
    ...fixed,
    phases: [...fixed.phases, ...listed.phases],
    lines: [...fixed.lines, ...listed.lines],
    complaints: [...fixed.complaints, ...listed.complaints],
    ...defined({ builtIn: listed.builtIn }),
  };
  return { place, isDynamic: true, draft: finished(whole) };
}

/** Removes everything from title and description that names a phase, and reports it. */
function hideRevealed(
  draft: WorkflowDraft,
  more: readonly WorkflowProblem[],
  { path, kind }: WorkflowLocation,
): WorkflowDraft {
  const phases = draft.phases.length > 1 ? draft.phases : []; // the only phase is open from the start
  const description = hidePhases(draft.description, phases);
  const title = namesAnyPhase(draft.title, phases) ? draft.type : draft.title;
  const isRevealing = description !== oneLine(draft.description) || title !== draft.title;
  const file = kind === "file" ? path : `${path}/metadata.json`;
  const message = "the title or description reveals something from a phase too early";
  const fix = "Say what the workflow is for without naming its phases.";
  const problem = workflowProblem("tells-ahead", file, message, fix, { closes: false });
  return {
    ...draft,
    title,
    description,
    complaints: [...draft.complaints, ...(isRevealing ? [problem] : []), ...more],
  };
}

function sameNameElsewhere({ path }: WorkflowLocation, other: WorkflowLocation): WorkflowProblem {
  const message = `${other.file} has the same name, so the workflow is ambiguous`;
  return workflowProblem("duplicate-workflow", path, message, "Rename one of them.");
}
