import type { Definitions, PlanReading, StepContent } from "../engine/ports/definitions.ts";
import type { PhasedWorkflowReading } from "../engine/ports/phased.ts";
import type { Gate } from "../gates/gate.ts";
import { withRouting } from "../gates/resolve-routing.ts";
import { ignoreOthersOutput, withFresh } from "../gates/sequence-checks.ts";
import { defined } from "../kit/defined.ts";
import type { JsonObject } from "../kit/json.ts";
import { itemValues } from "../workflow/decide-items.ts";
import type { SessionState, StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { Plan, Policy, Step } from "../workflow/workflow.ts";
import { beginItem, type CalledWorkflow } from "./items/begin-item.ts";
import { listItems } from "./items/list-items.ts";
import { fillText, sessionValues } from "./phases/fill-placeholders.ts";
import type { Phase, PhasedWorkflow } from "./phases/phased-workflow.ts";
import { sessionSettingsInWords } from "./settings/settings-text.ts";
import type { TeamSettings } from "./settings/team-settings.ts";

export type SessionSource = {
  readonly read: (type: string, options: JsonObject) => Promise<PhasedWorkflowReading<PhasedWorkflow>>;
  readonly pinned: (pin: string) => Promise<PhasedWorkflow | undefined>;
  readonly pin: (workflow: PhasedWorkflow) => Promise<string | undefined>;
  /** The workflow that a session not yet on record would start with. */
  readonly beginning: PhasedWorkflow | undefined;
  /** The team's current settings: how long a completion waits for checks, and the least approval level that counts. */
  readonly chosen?: () => Promise<TeamSettings>;
};

/** The policy of a phased workflow. */
const sessionPolicy: Policy = {
  onComplete: "opens the next",
  aheadVisible: "number",
  onViewEdit: "undone",
  definition: "pinned",
  onUnrecorded: "refused",
  onResume: "says",
  outOfTurnCode: "phase_sequence_violation",
};

/** The definitions of one session, from the copy it pinned at its start. */
export function sessionDefinitions({ read, pinned, pin, beginning, chosen }: SessionSource): Definitions {
  async function live(type: string, { options }: SessionState): Promise<PhasedWorkflow | undefined> {
    const reading = await read(type, options);
    return "workflow" in reading ? reading.workflow : undefined;
  }

  let planned: { readonly workflow: PhasedWorkflow; readonly plan: Plan } | undefined;
  /** The plan of a pinned copy, which never changes, is made once. */
  function planOf(name: string, workflow: PhasedWorkflow): Plan {
    if (planned?.workflow !== workflow || planned.plan.name !== name)
      planned = { workflow, plan: sessionPlan(name, workflow) };
    return planned.plan;
  }

  /** The pinned copy, or the current files if the copy is gone and they still match. */
  async function workflowOf({ session }: StreamSnapshot): Promise<PhasedWorkflow | undefined> {
    if (session === null) return beginning;
    const workflow = await pinned(session.definition);
    if (workflow !== undefined) return workflow;
    const current = await live(session.workflow, session);
    return current !== undefined && (await pin(current)) === session.definition ? current : undefined;
  }

  return {
    async plan(history) {
      const { stream } = await history;
      const { session } = stream;
      const workflow = await workflowOf(stream);
      if (workflow === undefined) return missingDefinition(session);
      const now = await chosen?.();
      const walked = planOf(nameOfRun(session?.workflow ?? workflow.type, stream), workflow);
      const plan = now === undefined ? walked : applySettings(walked, now);
      // Compared by the name in the copy, since the same files under another name are another workflow.
      // Waymark's own workflow of a task has no files.
      const isOwn = workflow.phases.every(({ sources }) => sources.length === 0);
      const later: PlanReading["later"] =
        session === null || isOwn
          ? undefined
          : async () =>
              (await live(workflow.type, session))?.hash === workflow.hash
                ? []
                : [{ kind: "definition_changed", workflow: session.workflow }];
      const own = defined({ checksWait: now?.checksWait, standards: now?.standards });
      return { plan, settings: { ...settings, ...own }, notices: [], ...defined({ later }) };
    },
    async current(stream) {
      const { session } = stream;
      if (session === null) return { problem: "there is no such session" };
      const reading = await read(session.workflow, session.options);
      if (!("workflow" in reading)) return { problem: `the current definition of ${session.workflow} can't be used` };
      const definition = await pin(reading.workflow);
      if (definition === undefined) return { problem: "the current definition could not be saved" };
      const to = sessionPlan(nameOfRun(session.workflow, stream), reading.workflow);
      return { to, definition, total: reading.workflow.phases.length };
    },
    items: {
      list: async (stream, ref, calls, lists) => {
        const workflow = await workflowOf(stream);
        if (workflow === undefined) return { problem: "the definition of this session is gone" };
        return listItems(stream, ref, calls, { lists, lookUp: sessionValues(workflow, stream) });
      },
      session: async (stream, _ref, calls, item) => {
        const workflow = await workflowOf(stream);
        const called: CalledWorkflow | undefined = workflow?.calls?.[calls.workflow];
        if (workflow === undefined || called === undefined)
          return { problem: `the pinned workflow ${calls.workflow} is gone` };
        const definition = await pin(called);
        if (definition === undefined) return { problem: "its definition could not be saved" };
        return beginItem(calls, called, definition, sessionValues(workflow, stream, itemValues(item)));
      },
    },
    async present(stream, { step, part }) {
      const workflow = await workflowOf(stream);
      const phase = workflow?.phases.find(({ number }) => String(number) === step);
      const content = phase === undefined ? undefined : present(phase, part);
      if (workflow === undefined || content === undefined) return content;
      return { ...content, text: fillText(content.text, sessionValues(workflow, stream)) };
    },
  };
}

/** Sessions never obey edits of their view and hold nothing back. */
const settings = { externalEdits: "refuse", strict: true } as const;

function missingDefinition(session: SessionState | null): PlanReading {
  const type = session?.workflow ?? "";
  const plan: Plan = { name: type, policy: sessionPolicy, workflows: [], independent: [], ordered: false };
  const notices = session === null ? [] : [{ kind: "definition_gone", workflow: type } as const];
  return { plan, settings, notices, closed: { gone: type } };
}

/** The name of a session's only run: the one it was started by, or the folder's in old histories. */
function nameOfRun(type: string, { runs }: StreamSnapshot): string {
  return runs.has(type) ? type : ([...runs.keys()][0] ?? type);
}

/** The plan of a session under a name. */
export function sessionPlan(name: string, { phases, inputs, outcomes }: PhasedWorkflow): Plan {
  const steps = withRouting(withFresh(phases.map(stepOf)), defined({ inputs, outcomes }));
  return {
    name,
    policy: sessionPolicy,
    workflows: ignoreOthersOutput([{ name, steps, ...defined({ outcomes }) }], []),
    independent: [],
    ordered: false,
  };
}

/** Applies the team's least approval level to a plan, since a pinned definition does not include it. */
export function applySettings(plan: Plan, chosen: TeamSettings): Plan {
  const { approvalLevel } = chosen;
  return {
    ...plan,
    ...defined({ approvalLevel }),
    settings: sessionSettingsInWords(chosen),
  };
}

/** A phase as a step; its gate decides, and a person only if the gate says so. */
function stepOf({ number, name: title, gate, sources }: Phase): Step {
  const { edits, routing } = gate;
  return {
    name: String(number),
    ...(title === "" ? {} : { title }),
    auto: true,
    gate: withoutRules(gate, sources[0] ?? ""),
    ...defined({ edits, routing }),
  };
}

/** Closes a gate that requires rules, since a phase has none to check. */
function withoutRules(gate: Gate, file: string): Gate {
  if (!gate.rulesHold || gate.closed !== undefined) return gate;
  return { ...gate, closed: { code: "gate-wrong-value", file, message: "a phase has no rules to check" } };
}

/** A phase as shown: whole, or one of its tasks. */
function present({ content, sources, tasks }: Phase, part: string | undefined): StepContent | undefined {
  const parts = tasks.map(({ number, name }) => ({ part: String(number), name }));
  if (part === undefined) return { text: content, warnings: [], sources, parts };
  const task = tasks.find(({ number }) => String(number) === part);
  return task === undefined ? undefined : { text: task.content, warnings: [], sources: [task.source], parts };
}
