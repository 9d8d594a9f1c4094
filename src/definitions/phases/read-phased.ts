import { dirname } from "node:path";
import type { JsonObject } from "../../evidence/json.ts";
import { namesAny, withoutPhases } from "../discretion/reticence.ts";
import { oneLine } from "../one-line.ts";
import { onceInside } from "../stand.ts";
import { type Complaint, complaint } from "./complaint.ts";
import { earlierComplaints } from "./earlier-fields.ts";
import type { Draft } from "./phased-workflow.ts";
import { readSingleFile } from "./single-file.ts";
import { type InvalidOptions, readTaskList } from "./tasks/task-list.ts";
import { readWorkflowFolder } from "./workflow-folder.ts";
import { placesNamed, type WorkflowPlace, workflowPlaces } from "./workflow-places.ts";

/** What is known of a workflow, sound or not: for the engine, which takes it or leaves it, and for `check`, which says why. */
export type PhasedRead = {
  readonly draft?: Draft;
  readonly place?: WorkflowPlace;
  /** Its phases come from a task list that the session's options name. */
  readonly isDynamic?: boolean;
  readonly invalidOptions?: InvalidOptions;
};

/** Reads a phased workflow by one of its names, which it then bears, with everything that is wrong with it. */
export const readPhased = onceInside(readNow);

function readNow(definitions: string, projectArea: string, type: string, options: JsonObject): PhasedRead {
  const [place, other] = placesNamed(workflowPlaces(definitions).places, type);
  if (place === undefined) return {};
  const twice = other === undefined ? [] : [alsoAt(place, other)];
  const finished = (draft: Draft): Draft =>
    discreet(draft, [...twice, ...earlierComplaints(draft.phases, dirname(definitions))], place);
  if (place.kind === "file") return { place, draft: finished(readSingleFile(type, place)) };
  const { metadata, ...fixed } = readWorkflowFolder(type, place);
  if (!metadata.isDynamic) return { place, draft: finished(fixed) };
  const listed = readTaskList(projectArea, options, metadata.optionName, fixed.phases);
  if ("invalidOptions" in listed) return { place, isDynamic: true, draft: finished(fixed), invalidOptions: listed };
  const whole = {
    ...fixed,
    phases: [...fixed.phases, ...listed.phases],
    complaints: [...fixed.complaints, ...listed.complaints],
  };
  return { place, isDynamic: true, draft: finished(whole) };
}

/** What everybody may read of a workflow names nothing of its phases. */
function discreet(draft: Draft, more: readonly Complaint[], { path, kind }: WorkflowPlace): Draft {
  const description = withoutPhases(draft.description, draft.phases);
  const title = namesAny(draft.title, draft.phases) ? draft.type : draft.title;
  const isTold = description !== oneLine(draft.description) || title !== draft.title;
  const file = kind === "file" ? path : `${path}/metadata.json`;
  const message = "title or description names what stands in a phase, before its time";
  const fix = "Say what the workflow is for, not what its phases are.";
  const told = complaint("tells-ahead", file, message, fix, { closes: false });
  return { ...draft, title, description, complaints: [...draft.complaints, ...(isTold ? [told] : []), ...more] };
}

function alsoAt({ path }: WorkflowPlace, other: WorkflowPlace): Complaint {
  const message = `${other.file} has the same name, and only one can be meant`;
  return complaint("duplicate-workflow", path, message, "Rename one of the two.");
}
