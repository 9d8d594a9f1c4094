import { defined } from "../kit/defined.ts";
import { canonical, type Json, type JsonObject } from "../kit/json.ts";
import type { ContentRecord, Submission } from "./events.ts";
import { outcomeOf } from "./position.ts";
import { isAtBound, isSatisfied, type Run, type StepState, type StreamSnapshot } from "./stream-snapshot.ts";

/** A session in the format of its file. */
export type SessionView = {
  readonly session_id: string;
  readonly workflow_type: string;
  readonly target_file: string | null;
  readonly options: JsonObject;
  readonly inputs?: JsonObject;
  readonly current_phase: number;
  readonly completed_phases: readonly number[];
  readonly total_phases: number;
  readonly phase_artifacts: { readonly [phase: string]: PhaseArtifact };
  readonly checkpoints: { readonly [phase: string]: "passed" | "failed" };
  readonly created_at: string;
  readonly updated_at: string;
  readonly workflow_complete: boolean;
  /** How it ended, unless it went through to its last phase. */
  readonly outcome?: string;
  /** Its current phase is completed and led back as often as it may: only a person can continue. */
  readonly status?: "blocked";
  readonly archived?: true;
  /** The run of the worktree it was started in. */
  readonly run?: string;
};

/** The evidence and outputs of a completed phase. */
export type PhaseArtifact = {
  readonly phase_number: number;
  readonly evidence: JsonObject;
  readonly outputs: JsonObject;
  readonly commands_executed: readonly Json[];
  readonly files: readonly ContentRecord[];
  readonly timestamp: string;
};

/** Derives the session file from a stream; null if the stream is not a session. It shows nothing of steps that are not open. */
export function sessionView(id: string, stream: StreamSnapshot): SessionView | null {
  const { session } = stream;
  if (session === null) return null;
  const run = sessionRun(stream);
  const steps = [...(run?.steps ?? [])].map(([name, state]): [number, StepState] => [Number(name), state]);
  const completed = steps.filter(([, { status }]) => status === "completed");
  const open = steps.find(([, { status }]) => status === "started")?.[0];
  const numbers = Array.from({ length: session.total }, (_, at) => session.first + at);
  const satisfied = new Set(steps.flatMap(([phase, state]) => (isSatisfied(state) ? [phase] : [])));
  const due = numbers.find((phase) => !satisfied.has(phase)); // a step that was superseded and not opened again
  const outcome = run === undefined ? undefined : outcomeOf(run);
  const endedAt = steps.find(([, { ended }]) => ended !== undefined)?.[0];
  return {
    session_id: id,
    workflow_type: session.workflow,
    target_file: session.target,
    options: session.options,
    ...defined({ inputs: session.inputs }),
    current_phase: endedAt ?? open ?? due ?? session.first + session.total - 1,
    completed_phases: completed.map(([phase]) => phase),
    total_phases: session.total,
    phase_artifacts: Object.fromEntries(completed.map(([phase, state]) => [phase, phaseArtifact(phase, state)])),
    checkpoints: Object.fromEntries(
      steps.flatMap(([phase, { status, refusedCode }]): [number, "passed" | "failed"][] => {
        if (status === "completed") return [[phase, "passed"]];
        return refusedCode === undefined ? [] : [[phase, "failed"]];
      }),
    ),
    created_at: session.beganAt,
    updated_at: session.changedAt,
    workflow_complete: outcome !== undefined || satisfied.size === session.total,
    ...defined({ outcome }),
    ...(steps.some(([, state]) => isAtBound(state)) ? { status: "blocked" } : {}),
    ...(stream.archivedAt === null ? {} : { archived: true }),
    ...defined({ run: session.run }),
  };
}

/** The only run of a session; old histories name it after the workflow's folder. */
export function sessionRun({ session, runs }: StreamSnapshot): Run | undefined {
  return session === null ? undefined : (runs.get(session.workflow) ?? [...runs.values()][0]);
}

function phaseArtifact(phase: number, { submitted, completion, startedAt }: StepState): PhaseArtifact {
  const { evidence = {}, outputs = {}, content = [] } = submitted;
  return {
    phase_number: phase,
    evidence,
    outputs: artifactOutputs(submitted),
    commands_executed: [...commandEvidence(evidence), ...toList(outputs.commands_executed)],
    files: content,
    timestamp: completion?.at ?? startedAt,
  };
}

/** The artifacts for later phases: evidence without commands, and outputs. Evidence keeps its names. */
function artifactOutputs({ evidence = {}, outputs = {} }: Submission): JsonObject {
  const { commands_executed: _, ...rest } = outputs;
  const proved = Object.entries(evidence).filter(([field]) => !isCommand(field));
  const beside = Object.entries(rest).flatMap(([name, value]): [string, Json][] => {
    if (!Object.hasOwn(evidence, name)) return [[name, value]];
    return canonical(evidence[name] ?? null) === canonical(value) ? [] : [[`${name} (outputs)`, value]];
  });
  return Object.fromEntries([...proved, ...beside]);
}

function commandEvidence(evidence: JsonObject): Json[] {
  return Object.entries(evidence).flatMap(([field, value]) => (isCommand(field) ? [{ [field]: value }] : []));
}

function isCommand(field: string): boolean {
  return /(^|_)commands?(_|$)/i.test(field);
}

function toList(value: Json | undefined): readonly Json[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
}

/** The text of a session's file; undefined if there is nothing to show. */
export function sessionFileText(id: string, stream: StreamSnapshot): string | undefined {
  const view = sessionView(id, stream);
  if (view === null) return undefined;
  const { options: _, workflow_complete: __, archived: ___, status: ____, ...fields } = view;
  return `${JSON.stringify(fields, null, 2)}\n`;
}
