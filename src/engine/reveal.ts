import type { Gate } from "../gates/gate.ts";
import { type Waived, withoutWaived } from "../gates/waiver.ts";
import { defined } from "../kit/defined.ts";
import type { StepRef } from "../workflow/events.ts";
import { isRouted } from "../workflow/follow-route.ts";
import { mayBeShown } from "../workflow/position.ts";
import { refOf } from "../workflow/refuse.ts";
import { requiredApproval } from "../workflow/required-approval.ts";
import type { Run, StepState, StreamSnapshot } from "../workflow/stream-snapshot.ts";
import { waivedBy } from "../workflow/waivers.ts";
import type { Plan, Step } from "../workflow/workflow.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { Definitions, PresentRequest, StepResults } from "./ports/definitions.ts";
import { validWaivers } from "./prove-approvals.ts";
import type { RevealedStep, StepRound } from "./reply.ts";

/** Shows a step that a caller may see now: the current one, a completed one or an independent one. The only way from a definition to a transport; undefined if the step has no such part. */
export async function reveal(
  deps: EngineDeps,
  plan: Plan,
  stream: StreamSnapshot,
  request: Omit<PresentRequest, "produced">,
): Promise<RevealedStep | undefined> {
  const { definitions } = deps;
  const { workflow, step } = request;
  if (!mayBeShown(plan, stream, workflow, step))
    throw new Error(`${step} cannot be shown yet: earlier steps come first.`);
  const presented = await definitions.present(stream, {
    ...request,
    produced: resultsSoFar(plan, stream, definitions.record),
  });
  if (presented === undefined) return undefined;
  const walked = plan.workflows.find(({ name }) => name === workflow);
  const planned = walked?.steps.find(({ name }) => name === step);
  const { gate } = planned ?? {};
  const given = (planned?.routing?.calls?.collect ?? []).map(({ field }) => ({ field, reason: "", by: "" }));
  const isWaived = stream.runs.get(workflow)?.steps.get(step)?.waivers !== undefined;
  const waived = [...given, ...(isWaived ? await waivedNow(deps, plan, stream, { workflow, step, gate }) : [])];
  return {
    ...presented,
    workflow,
    step,
    auto: gate?.approval !== true && (planned?.auto ?? false),
    ...(gate === undefined ? {} : { gate: waived.length === 0 ? gate : withoutWaived(gate, waived) }),
    ...defined({ calls: planned?.routing?.calls?.workflow }),
    ...(walked === undefined || !isRouted(walked) ? {} : { round: roundOf(planned, stream.runs.get(workflow)) }),
  };
}

function roundOf(planned: Step | undefined, run: Run | undefined): StepRound {
  const { rounds = 0, status, cameBackFrom } = run?.steps.get(planned?.name ?? "") ?? {};
  const { role } = planned?.routing ?? {};
  return { number: status === "completed" ? rounds : rounds + 1, ...defined({ role, cameBackFrom }) };
}

/** Lists what people waived at a step, as far as it counts. */
async function waivedNow(
  deps: EngineDeps,
  plan: Plan,
  { runs }: StreamSnapshot,
  { workflow, step, gate }: { readonly workflow: string; readonly step: string; readonly gate: Gate | undefined },
): Promise<readonly Waived[]> {
  const run = runs.get(workflow);
  const state = run?.steps.get(step);
  if (run === undefined || state?.waivers === undefined) return [];
  return waivedBy(requiredApproval(gate, plan), await validWaivers(deps, refOf(run, step), state.waivers));
}

/** The results of every completed step of the latest passes, in plan order. */
function resultsSoFar(plan: Plan, stream: StreamSnapshot, record: Definitions["record"]): StepResults[] {
  return plan.workflows.flatMap(({ name }) => {
    const run = stream.runs.get(name);
    if (run === undefined) return [];
    return [...run.steps].flatMap(([step, state]) =>
      state.status === "completed"
        ? [stepResults({ workflow: name, pass: run.pass, step, attempt: state.attempt }, state, record)]
        : [],
    );
  });
}

function stepResults(ref: StepRef, { submitted }: StepState, record: Definitions["record"]): StepResults {
  const path = record?.path(ref);
  const content = submitted.content ?? [];
  const own = content.find((item) => item.readable === true || item.path === path);
  return {
    workflow: ref.workflow,
    step: ref.step,
    content: content.filter((item) => item !== own),
    ...defined({ outputs: submitted.outputs }),
    ...(own === undefined ? {} : { record: own.path }),
  };
}
