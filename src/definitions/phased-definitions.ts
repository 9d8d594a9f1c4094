import { resolve } from "node:path";
import type { PhasedDefinitions, PhasedWorkflowReading } from "../engine/ports/phased.ts";
import type { PinStore } from "../engine/ports/pins.ts";
import type { JsonObject } from "../kit/json.ts";
import { listWorkflows } from "./disclosure/list-workflows.ts";
import type { PhasedWorkflow } from "./phases/phased-workflow.ts";
import { sessionDefinitions } from "./session-definitions.ts";
import { readSettings, type TeamSettings } from "./settings/team-settings.ts";
import type { CurrentDefinitions } from "./snapshot/keep-snapshot.ts";

export type PhasedSource = {
  readonly projectArea: string;
  readonly current: CurrentDefinitions;
  readonly pins: PinStore;
};

/** The phased workflows of a definitions folder, read live: changes apply at the next call. */
export function phasedDefinitions(source: PhasedSource): PhasedDefinitions<PhasedWorkflow> {
  const projectArea = resolve(source.projectArea);
  const { current, pins } = source;
  const read = async (type: string, options: JsonObject): Promise<PhasedWorkflowReading<PhasedWorkflow>> => {
    const definitions = await current();
    const reader = () => import("./phases/read-workflow.ts"); // loads with the first workflow, not at server start
    const fixed = definitions.derived(`fixed workflow ${type}`, async () =>
      (await reader()).readFixedWorkflow(definitions, type),
    );
    return (await fixed) ?? (await reader()).readWorkflow(definitions, projectArea, type, options);
  };
  const chosen = async (): Promise<TeamSettings> => {
    const definitions = await current();
    const { settings, problem } = definitions.derived("settings", () => readSettings(definitions));
    return problem === undefined ? settings : { ...settings, approvalLevel: "proven" }; // unreadable settings may have required more
  };
  const kept = new Map<string, PhasedWorkflow>();
  const pinned = async (pin: string): Promise<PhasedWorkflow | undefined> => {
    const known = kept.get(pin);
    if (known !== undefined) return known;
    const text = await pins.find(pin);
    if (text === undefined) return undefined;
    const workflow: PhasedWorkflow = JSON.parse(text); // the pinned text, its hash already checked
    kept.set(pin, workflow);
    return workflow;
  };
  const pin = (workflow: PhasedWorkflow): Promise<string | undefined> => pins.keep(JSON.stringify(workflow));
  return {
    list: async () => {
      const definitions = await current();
      return definitions.derived("workflows", () => listWorkflows(definitions));
    },
    read,
    pin: async (workflow) => {
      const definition = await pin(workflow);
      if (definition === undefined) return undefined;
      return { definition, first: workflow.phases[0]?.number ?? 1, total: workflow.phases.length };
    },
    pinned,
    forSession: (beginning) => sessionDefinitions({ read, pinned, pin, beginning, chosen }),
  };
}
