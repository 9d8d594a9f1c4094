import type { ApprovalRule } from "../gates/approval-rule.ts";
import { statedRun } from "../gates/approval-statement.ts";
import type { Gate } from "../gates/gate.ts";
import { defined } from "../kit/defined.ts";
import { timeAfter } from "../workflow/command.ts";
import type { StepRef, Violation } from "../workflow/events.ts";
import { refOf } from "../workflow/refuse.ts";
import { countedApprovals, requiredApproval } from "../workflow/required-approval.ts";
import { type GivenApproval, isOpen, type StepState, type StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { ContentFile } from "./ports/content.ts";
import { historyName, validApprovals } from "./prove-approvals.ts";
import { runRules } from "./run-rules.ts";
import { readStream } from "./transact.ts";

/** A submission in full, for a person who reviews it before or after it counts. */
export type SubmissionReview = {
  readonly ref: StepRef;
  readonly state: StepState;
  /** The files on record as they are now. */
  readonly files: readonly ContentFile[];
  /** The rule violations in them, if rules run at this step. */
  readonly violations?: readonly Violation[];
  /** The approval it is waiting for. */
  readonly waits?: ApprovalWait;
};

/** A submission waiting only for approval, with everything an answer states. */
export type ApprovalWait = {
  readonly since: string;
  readonly digest: string;
  readonly needs: ApprovalRule;
  /** The approvals given so far that still count. */
  readonly given: readonly GivenApproval[];
  /** Names the project and this history, as signed statements do. */
  readonly project: string;
  readonly first: string | undefined;
  /** The stream, as signed statements name it. */
  readonly run: string;
  /** The current texts that the submission would replace, by path. */
  readonly before: ReadonlyMap<string, string>;
};

/** The latest submission of every run of a stream: of its open step, otherwise of the step completed last. Records nothing. */
export async function listSubmissions(deps: EngineDeps): Promise<readonly SubmissionReview[]> {
  const { id, definitions, content } = deps;
  const {
    reading,
    snapshot: { stream },
  } = await readStream(deps);
  const newest = [...stream.runs.values()].flatMap((run) => {
    const steps = [...run.steps].filter(([, state]) => hasSubmission(state));
    const open = steps.find(([, state]) => isOpen(state));
    const [step, state] = open ?? steps.sort(([, a], [, b]) => (completedAt(a) < completedAt(b) ? -1 : 1)).at(-1) ?? [];
    return step === undefined || state === undefined ? [] : [{ ref: refOf(run, step), state }];
  });
  return Promise.all(
    newest.map(async ({ ref, state }): Promise<SubmissionReview> => {
      const records = state.submitted.content ?? [];
      const files = await content.read(id, ref, records);
      const isStarted = state.status === "started";
      const wantsRules = definitions.rules?.checks(ref.step) === true || gateOf(reading.plan, ref)?.rulesHold === true;
      const violations = isStarted
        ? wantsRules
          ? (await runRules(deps, reading.plan, stream, ref.workflow, { ref, records })).violations
          : undefined
        : state.completion?.violations;
      const waits = await approvalWaitOf(deps, reading.plan, stream, ref, state, files);
      return {
        ref,
        state,
        files,
        ...defined({ violations, waits }),
      };
    }),
  );
}

async function approvalWaitOf(
  deps: EngineDeps,
  plan: Plan,
  stream: StreamSnapshot,
  ref: StepRef,
  state: StepState,
  files: readonly ContentFile[],
): Promise<ApprovalWait | undefined> {
  const { since, digest } = state.waiting ?? {};
  if (state.status !== "started" || since === undefined || digest === undefined) return undefined;
  const { id, log, content, clock } = deps;
  const needs = requiredApproval(gateOf(plan, ref), plan);
  const holding = await validApprovals(deps, ref, state);
  const before = new Map<string, string>();
  for (const file of files) {
    const current = "text" in file && !file.isNew ? await content.currentText?.(file.path) : undefined;
    if (current !== undefined && "text" in file && current !== file.text) before.set(file.path, current);
  }
  const given = countedApprovals(needs, holding, digest, timeAfter(stream, clock().toISOString()));
  return { since, digest, needs, given, ...(await historyName(log, id)), run: statedRun(id), before };
}

function gateOf({ workflows }: Plan, { workflow, step }: StepRef): Gate | undefined {
  return workflows.find(({ name }) => name === workflow)?.steps.find(({ name }) => name === step)?.gate;
}

function hasSubmission({ status, submitted, waiting, refusedCode, blocked }: StepState): boolean {
  if (status === "completed") return true;
  const { outputs, evidence, content } = submitted;
  return status === "started" && (blocked ?? waiting ?? outputs ?? evidence ?? content ?? refusedCode) !== undefined;
}

function completedAt({ completion, startedAt }: StepState): string {
  return completion?.at ?? startedAt;
}
