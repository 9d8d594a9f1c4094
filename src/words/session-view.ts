import { canonical, type Json, type JsonObject } from "../evidence/json.ts";
import type { Desk, Run, StepState } from "../workflow/desk.ts";
import type { ContentRecord, HandedIn } from "../workflow/events.ts";

/** What a session comes to, in the words of its file. */
export type SessionView = {
  readonly session_id: string;
  readonly workflow_type: string;
  readonly target_file: string | null;
  readonly options: JsonObject;
  readonly current_phase: number;
  readonly completed_phases: readonly number[];
  readonly total_phases: number;
  readonly phase_artifacts: { readonly [phase: string]: PhaseArtifact };
  readonly checkpoints: { readonly [phase: string]: "passed" | "failed" };
  readonly created_at: string;
  readonly updated_at: string;
  readonly workflow_complete: boolean;
  readonly archived?: true;
  /** The run of the work tree that it was begun in. */
  readonly run?: string;
};

/** What a completed phase proved and produced. */
export type PhaseArtifact = {
  readonly phase_number: number;
  readonly evidence: JsonObject;
  readonly outputs: JsonObject;
  readonly commands_executed: readonly Json[];
  readonly files: readonly ContentRecord[];
  readonly timestamp: string;
};

/** Adds a session up to what its file shows; null where the desk is none. Nothing of a step that is not open is in it. */
export function sessionView(id: string, desk: Desk): SessionView | null {
  const { session } = desk;
  if (session === null) return null;
  const steps = [...(sessionRun(desk)?.steps ?? [])].map(([name, state]): [number, StepState] => [Number(name), state]);
  const completed = steps.filter(([, { status }]) => status === "completed");
  const open = steps.find(([, { status }]) => status === "started")?.[0];
  const numbers = Array.from({ length: session.total }, (_, at) => session.first + at);
  const due = numbers.find((phase) => !completed.some(([done]) => done === phase)); // nobody has opened it anew yet
  return {
    session_id: id,
    workflow_type: session.workflow,
    target_file: session.target,
    options: session.options,
    current_phase: open ?? due ?? session.first + session.total - 1,
    completed_phases: completed.map(([phase]) => phase),
    total_phases: session.total,
    phase_artifacts: Object.fromEntries(completed.map(([phase, state]) => [phase, artifactOf(phase, state)])),
    checkpoints: Object.fromEntries(
      steps.flatMap(([phase, { status, turnedDown }]): [number, "passed" | "failed"][] => {
        if (status === "completed") return [[phase, "passed"]];
        return turnedDown === undefined ? [] : [[phase, "failed"]];
      }),
    ),
    created_at: session.beganAt,
    updated_at: session.changedAt,
    workflow_complete: completed.length === session.total,
    ...(desk.archivedAt === null ? {} : { archived: true }),
    ...(session.run === undefined ? {} : { run: session.run }),
  };
}

/** A session has one run: under the name that it was started by, or, in old histories, under that of the workflow's folder. */
export function sessionRun({ session, runs }: Desk): Run | undefined {
  return session === null ? undefined : (runs.get(session.workflow) ?? [...runs.values()][0]);
}

function artifactOf(phase: number, { handed, completion, startedAt }: StepState): PhaseArtifact {
  const { evidence = {}, outputs = {}, content = [] } = handed;
  return {
    phase_number: phase,
    evidence,
    outputs: outputsOf(handed),
    commands_executed: [...commandsIn(evidence), ...listOf(outputs.commands_executed)],
    files: content,
    timestamp: completion?.at ?? startedAt,
  };
}

/** What later phases build on: the evidence, but for the commands, and what was handed in beside it. What was proved keeps its name. */
function outputsOf({ evidence = {}, outputs = {} }: HandedIn): JsonObject {
  const { commands_executed: _, ...rest } = outputs;
  const proved = Object.entries(evidence).filter(([field]) => !isCommand(field));
  const beside = Object.entries(rest).flatMap(([name, value]): [string, Json][] => {
    if (!Object.hasOwn(evidence, name)) return [[name, value]];
    return canonical(evidence[name] ?? null) === canonical(value) ? [] : [[`${name} (outputs)`, value]];
  });
  return Object.fromEntries([...proved, ...beside]);
}

function commandsIn(evidence: JsonObject): Json[] {
  return Object.entries(evidence).flatMap(([field, value]) => (isCommand(field) ? [{ [field]: value }] : []));
}

function isCommand(field: string): boolean {
  return /(^|_)commands?(_|$)/i.test(field);
}

function listOf(value: Json | undefined): readonly Json[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
}
