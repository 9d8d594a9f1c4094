import type { ItemDefinitions, ListProblem } from "../../engine/ports/definitions.ts";
import type { PhasedDefinitions } from "../../engine/ports/phased.ts";
import { fieldValue } from "../../gates/value-type.ts";
import type { JsonObject } from "../../kit/json.ts";
import { itemValues } from "../../workflow/decide-items.ts";
import type { StepRef } from "../../workflow/step-ref.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import type { LookUpValue } from "../phases/fill-placeholders.ts";
import type { PhasedWorkflow } from "../phases/phased-workflow.ts";
import { beginItem } from "./begin-item.ts";
import { listItems } from "./list-items.ts";

/** The items of a bot's actions. A bot's definitions are live, so the workflow is pinned when items are taken. */
export function botItems(phased: Pick<PhasedDefinitions<PhasedWorkflow>, "read" | "pin" | "pinned">): ItemDefinitions {
  async function pinCalled(name: string): Promise<{ readonly definition: string } | ListProblem> {
    const reading = await phased.read(name, {});
    if ("unknown" in reading) return { problem: `workflow ${name} does not exist` };
    if (!("workflow" in reading)) return { problem: `workflow ${name} cannot be used; waymark check says why` };
    const pinned = await phased.pin(reading.workflow);
    return pinned ?? { problem: "its definition could not be saved" };
  }
  return {
    async list(stream, ref, calls, lists) {
      const known = stream.runs.get(ref.workflow)?.steps.get(ref.step)?.items;
      const listed = await listItems(stream, ref, calls, { lists, lookUp: actionValues(stream, ref) });
      if (!("items" in listed) || known?.definition !== undefined) return listed;
      const pinned = await pinCalled(calls.workflow);
      return "problem" in pinned ? pinned : { ...listed, definition: pinned.definition };
    },
    async session(stream, ref, calls, item) {
      const { definition } = stream.runs.get(ref.workflow)?.steps.get(ref.step)?.items ?? {};
      const called = definition === undefined ? undefined : await phased.pinned(definition);
      if (definition === undefined || called === undefined)
        return { problem: `the pinned workflow ${calls.workflow} is gone` };
      return beginItem(calls, called, definition, actionValues(stream, ref, itemValues(item)));
    },
  };
}

/** Looks up the placeholders of an action: fields of its item, and of what earlier actions submitted. */
function actionValues(stream: StreamSnapshot, { workflow }: StepRef, item?: JsonObject): LookUpValue {
  return (owner, name) => {
    if (name === undefined) return undefined;
    if (owner === "item") return item === undefined ? undefined : fieldValue(item, name);
    const { status, submitted = {} } = stream.runs.get(workflow)?.steps.get(owner) ?? {};
    if (status !== "completed") return undefined;
    return fieldValue(submitted.evidence ?? {}, name) ?? fieldValue(submitted.outputs ?? {}, name);
  };
}
