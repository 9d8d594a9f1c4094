import { resolve } from "node:path";
import type { PhasedDefinitions, PhasedReading } from "../engine/phased-ports.ts";
import type { Pins } from "../engine/ports.ts";
import type { JsonObject } from "../evidence/json.ts";
import { listWorkflows } from "./discretion/list-workflows.ts";
import type { PhasedWorkflow } from "./phases/phased-workflow.ts";
import { sessionDefinitions } from "./session-definitions.ts";
import { type Chosen, readSettings } from "./settings.ts";
import type { Shelf } from "./shelf.ts";

export type PhasedSource = {
  readonly definitions: string;
  readonly projectArea: string;
  readonly shelf: Shelf;
  readonly pins: Pins;
};

/** The phased workflows of a definitions folder, read live: what is new or changed counts at the next call. */
export function phasedDefinitions(source: PhasedSource): PhasedDefinitions<PhasedWorkflow> {
  const definitions = resolve(source.definitions);
  const projectArea = resolve(source.projectArea);
  const { shelf, pins } = source;
  const read = async (type: string, options: JsonObject): Promise<PhasedReading<PhasedWorkflow>> => {
    // The Markdown reader is loaded when a workflow is read, not when the server starts.
    const { readWorkflow } = await import("./phases/read-workflow.ts");
    const key = `workflow ${JSON.stringify([type, options])}`;
    return shelf.remember(key, () => readWorkflow(definitions, projectArea, type, options));
  };
  const chosen = async (): Promise<Chosen> => {
    const { settings, problem } = await shelf.remember("settings of sessions", () => readSettings(definitions));
    return problem === undefined ? settings : { ...settings, wordLevel: "proven" }; // nobody knows what less would do
  };
  const kept = new Map<string, PhasedWorkflow>();
  const pinned = async (pin: string): Promise<PhasedWorkflow | undefined> => {
    const known = kept.get(pin);
    if (known !== undefined) return known;
    const text = await pins.find(pin);
    if (text === undefined) return undefined;
    const workflow: PhasedWorkflow = JSON.parse(text); // the very text that was kept: its hash has been checked
    kept.set(pin, workflow);
    return workflow;
  };
  const pin = (workflow: PhasedWorkflow): Promise<string | undefined> => pins.keep(JSON.stringify(workflow));
  return {
    list: () => shelf.remember("workflows", () => listWorkflows(definitions)),
    read,
    pin: async (workflow) => {
      const definition = await pin(workflow);
      if (definition === undefined) return undefined;
      return { definition, first: workflow.phases[0]?.number ?? 1, total: workflow.phases.length };
    },
    forSession: (beginning) => sessionDefinitions({ read, pinned, pin, beginning, chosen }),
  };
}
