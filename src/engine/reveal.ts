import type { Desk } from "../workflow/desk.ts";
import { mayBeShown } from "../workflow/route.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { PresentRequest } from "./ports.ts";
import { producedSoFar } from "./produced.ts";
import type { Shown } from "./reply.ts";

/**
 * Shows a step that a caller may see now: the one whose turn it is, one that is done, or one outside the sequence. The
 * only way from a definition to a door. Undefined where the step has no such part.
 */
export async function reveal(
  { definitions }: DeskParts,
  plan: Plan,
  desk: Desk,
  request: Omit<PresentRequest, "produced">,
): Promise<Shown | undefined> {
  const { workflow, step } = request;
  if (!mayBeShown(plan, desk, workflow, step)) throw new Error(`${step} may not be shown: its turn has not come.`);
  const presented = await definitions.present(desk, {
    ...request,
    produced: producedSoFar(plan, desk, definitions.record),
  });
  if (presented === undefined) return undefined;
  const defined = plan.workflows.find(({ name }) => name === workflow)?.steps.find(({ name }) => name === step);
  const { gate } = defined ?? {};
  return {
    ...presented,
    workflow,
    step,
    auto: defined?.auto === true && gate?.approval !== true,
    ...(gate === undefined ? {} : { gate }),
  };
}
