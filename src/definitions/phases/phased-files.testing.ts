import type { PhasedWorkflowReading } from "../../engine/ports/phased.ts";
import type { JsonObject } from "../../kit/json.ts";
import { filesOf } from "../snapshot/files-of.testing.ts";
import type { PhasedWorkflow } from "./phased-workflow.ts";
import { readWorkflow } from "./read-workflow.ts";

/** The workflows of a definitions folder, read from disk at each call. */
export function phasedFiles({ definitions, projectArea }: { definitions: string; projectArea: string }): {
  read(type: string, options: JsonObject): Promise<PhasedWorkflowReading<PhasedWorkflow>>;
} {
  return { read: (type, options) => readWorkflow(filesOf(definitions), projectArea, type, options) };
}
