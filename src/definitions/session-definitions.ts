import type { PhasedReading } from "../engine/phased-ports.ts";
import type { Definitions, PlanReading, Presented } from "../engine/ports.ts";
import { withFresh } from "../evidence/fresh-checks.ts";
import type { Gate } from "../evidence/gate.ts";
import type { JsonObject } from "../evidence/json.ts";
import { withNeverRead } from "../evidence/never-read.ts";
import type { Desk, SessionState } from "../workflow/desk.ts";
import type { Manner, Plan, Step } from "../workflow/workflow.ts";
import type { Phase, PhasedWorkflow } from "./phases/phased-workflow.ts";
import type { Chosen } from "./settings.ts";
import { sessionSettingsInWords } from "./settings-in-words.ts";

export type SessionSource = {
  readonly read: (type: string, options: JsonObject) => Promise<PhasedReading<PhasedWorkflow>>;
  readonly pinned: (pin: string) => Promise<PhasedWorkflow | undefined>;
  readonly pin: (workflow: PhasedWorkflow) => Promise<string | undefined>;
  /** What a session that is not on record yet would begin with. */
  readonly beginning: PhasedWorkflow | undefined;
  /** The team's settings as they are now: how long a completion waits for its checks, and the least level of a person's word that counts. */
  readonly chosen?: () => Promise<Chosen>;
};

/** How the phases of a workflow are walked. */
const manner: Manner = {
  completing: "opens the next",
  ahead: "number",
  view: "undone",
  definition: "pinned",
  unrecorded: "refused",
  resuming: "says",
  outOfTurn: "phase_sequence_violation",
};

/** What one session is walked by: the copy of the definition that it keeps from its start. */
export function sessionDefinitions({ read, pinned, pin, beginning, chosen }: SessionSource): Definitions {
  async function live(type: string, { options }: SessionState): Promise<PhasedWorkflow | undefined> {
    const reading = await read(type, options);
    return "workflow" in reading ? reading.workflow : undefined;
  }

  /** The copy; or, where it is gone, the files, if they still say the same. */
  async function workflowOf({ session }: Desk): Promise<PhasedWorkflow | undefined> {
    if (session === null) return beginning;
    const workflow = await pinned(session.definition);
    if (workflow !== undefined) return workflow;
    const current = await live(session.workflow, session);
    return current !== undefined && (await pin(current)) === session.definition ? current : undefined;
  }

  return {
    async plan(history) {
      const { desk } = await history;
      const { session } = desk;
      const workflow = await workflowOf(desk);
      if (workflow === undefined) return gone(session);
      const now = await chosen?.();
      const walked = planOf(session?.workflow ?? workflow.type, desk, workflow);
      const plan = now === undefined ? walked : underSettings(walked, now);
      // By the name that the copy bears: the same files under another name are another's.
      const later: PlanReading["later"] =
        session === null
          ? undefined
          : async () =>
              (await live(workflow.type, session))?.hash === workflow.hash
                ? []
                : [{ kind: "definition_changed", workflow: session.workflow }];
      const waiting = now?.checksWait === undefined ? {} : { checksWait: now.checksWait };
      return { plan, settings: { ...settings, ...waiting }, notices: [], ...(later === undefined ? {} : { later }) };
    },
    async present(desk, { step, part }) {
      const workflow = await workflowOf(desk);
      const phase = workflow?.phases.find(({ number }) => String(number) === step);
      return phase === undefined ? undefined : present(phase, part);
    },
  };
}

/** A session goes by few settings: its view is never obeyed, and nothing of it is held. */
const settings = { externalEdits: "refuse", strict: true } as const;

function gone(session: SessionState | null): PlanReading {
  const type = session?.workflow ?? "";
  const plan: Plan = { name: type, manner, workflows: [], independent: [], ordered: false };
  const notices = session === null ? [] : [{ kind: "definition_gone", workflow: type } as const];
  return { plan, settings, notices, closed: { gone: type } };
}

/** A session has one run: under the name that it was started by, or, in old histories, under that of the workflow's folder. */
function planOf(type: string, { runs }: Desk, workflow: PhasedWorkflow): Plan {
  return sessionPlan(runs.has(type) ? type : ([...runs.keys()][0] ?? type), workflow);
}

/** The plan of a session under a name. */
export function sessionPlan(name: string, { phases }: PhasedWorkflow): Plan {
  return {
    name,
    manner,
    workflows: withNeverRead([{ name, steps: withFresh(phases.map(stepOf)) }], []),
    independent: [],
    ordered: false,
  };
}

/** A plan under the team's settings: they say of which level a person's word is at least; a copy of its definition does not. */
export function underSettings(plan: Plan, chosen: Chosen): Plan {
  const { wordLevel } = chosen;
  return { ...plan, ...(wordLevel === undefined ? {} : { wordLevel }), settings: sessionSettingsInWords(chosen) };
}

/** A gate decides whether a phase is done; a person only where the gate says so. */
function stepOf({ number, name: title, gate, sources }: Phase): Step {
  const { edits } = gate;
  return {
    name: String(number),
    ...(title === "" ? {} : { title }),
    auto: true,
    gate: withoutRules(gate, sources[0] ?? ""),
    ...(edits === undefined ? {} : { edits }),
  };
}

/** Rules belong to a bot's behaviors: a phase that asks for them asks for what nobody can check. */
function withoutRules(gate: Gate, file: string): Gate {
  if (!gate.rulesHold || gate.closed !== undefined) return gate;
  return { ...gate, closed: { code: "gate-wrong-value", file, message: "a phase has no rules to check" } };
}

/** A phase as it is shown: whole, or one of its tasks. */
function present({ content, sources, tasks }: Phase, part: string | undefined): Presented | undefined {
  const parts = tasks.map(({ number, name }) => ({ part: String(number), name }));
  if (part === undefined) return { text: content, warnings: [], sources, parts };
  const task = tasks.find(({ number }) => String(number) === part);
  return task === undefined ? undefined : { text: task.content, warnings: [], sources: [task.source], parts };
}
