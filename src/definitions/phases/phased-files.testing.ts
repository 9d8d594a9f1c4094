import type { PhasedReading } from "../../engine/phased-ports.ts";
import type { JsonObject } from "../../evidence/json.ts";
import type { PhasedWorkflow } from "./phased-workflow.ts";
import { readWorkflow } from "./read-workflow.ts";

/** The workflows of a definitions folder, read from the disk at each call. */
export function phasedFiles({ definitions, projectArea }: { definitions: string; projectArea: string }): {
  read(type: string, options: JsonObject): PhasedReading<PhasedWorkflow>;
} {
  return { read: (type, options) => readWorkflow(definitions, projectArea, type, options) };
}
