import type { Approval } from "../evidence/approval.ts";
import type { Gate } from "../evidence/gate.ts";
import { statedRun } from "../people/statement.ts";
import type { GivenApproval, StepState } from "../workflow/desk.ts";
import type { StepRef, Violation } from "../workflow/events.ts";
import { approvalsCounted, wordAsked } from "../workflow/need.ts";
import { refOf } from "../workflow/refusals.ts";
import type { Plan } from "../workflow/workflow.ts";
import { approvalsThatHold, projectOf } from "./approvals.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { ContentFile } from "./ports.ts";
import { readDesk } from "./read-desk.ts";
import { runRules } from "./rules.ts";

/** What was handed in at a step, whole: for a person who wants to see it before or after it counts. */
export type HandIn = {
  readonly ref: StepRef;
  readonly state: StepState;
  /** The files on record as they stand now. */
  readonly files: readonly ContentFile[];
  /** What the rules say of them, where they are looked at there. */
  readonly violations?: readonly Violation[];
  /** What it needs of people, where that is what it waits for. */
  readonly waits?: Waits;
};

/** A hand-in that only waits for people: everything that one of them states when they answer. */
export type Waits = {
  readonly since: string;
  readonly digest: string;
  readonly needs: Approval;
  /** What of it has been given so far, and still holds. */
  readonly given: readonly GivenApproval[];
  /** Names the project, by the hash of the first record of this history. */
  readonly project: string;
  /** The desk, as people state it. */
  readonly run: string;
  /** The texts that would be replaced, by path: what stands there now, where it is another. */
  readonly before: ReadonlyMap<string, string>;
};

/** The newest hand-in of every run of a desk: of the open step, where something was handed in, else of the one completed last. Records nothing. */
export async function handIns(parts: DeskParts): Promise<readonly HandIn[]> {
  const { id, definitions, content } = parts;
  const {
    reading,
    snapshot: { desk },
  } = await readDesk(parts);
  const newest = [...desk.runs.values()].flatMap((run) => {
    const steps = [...run.steps].filter(([, state]) => hasHandIn(state));
    const open = steps.find(([, { status }]) => status === "started");
    const [step, state] = open ?? steps.sort(([, a], [, b]) => (doneAt(a) < doneAt(b) ? -1 : 1)).at(-1) ?? [];
    return step === undefined || state === undefined ? [] : [{ ref: refOf(run, step), state }];
  });
  return Promise.all(
    newest.map(async ({ ref, state }): Promise<HandIn> => {
      const records = state.handed.content ?? [];
      const files = await content.read(id, ref, records);
      const isOpen = state.status === "started";
      const wantsRules = definitions.rules?.checks(ref.step) === true || gateOf(reading.plan, ref)?.rulesHold === true;
      const violations = isOpen
        ? wantsRules
          ? (await runRules(parts, reading.plan, desk, ref.workflow, { ref, records })).violations
          : undefined
        : state.completion?.violations;
      const waits = await waitsAt(parts, reading.plan, ref, state, files);
      return {
        ref,
        state,
        files,
        ...(violations === undefined ? {} : { violations }),
        ...(waits === undefined ? {} : { waits }),
      };
    }),
  );
}

async function waitsAt(
  parts: DeskParts,
  plan: Plan,
  ref: StepRef,
  state: StepState,
  files: readonly ContentFile[],
): Promise<Waits | undefined> {
  const { since, digest } = state.waiting ?? {};
  if (state.status !== "started" || since === undefined || digest === undefined) return undefined;
  const { id, log, content, clock } = parts;
  const needs = wordAsked(gateOf(plan, ref), plan);
  const holding = await approvalsThatHold(parts, ref, state);
  const before = new Map<string, string>();
  for (const file of files) {
    const stands = "text" in file && !file.isNew ? await content.stands?.(file.path) : undefined;
    if (stands !== undefined && "text" in file && stands !== file.text) before.set(file.path, stands);
  }
  const given = approvalsCounted(needs, holding, digest, clock().toISOString());
  return { since, digest, needs, given, project: await projectOf(log, id), run: statedRun(id), before };
}

function gateOf({ workflows }: Plan, { workflow, step }: StepRef): Gate | undefined {
  return workflows.find(({ name }) => name === workflow)?.steps.find(({ name }) => name === step)?.gate;
}

function hasHandIn({ status, handed, waiting, turnedDown }: StepState): boolean {
  if (status === "completed") return true;
  const { outputs, evidence, content } = handed;
  return status === "started" && (waiting ?? outputs ?? evidence ?? content ?? turnedDown) !== undefined;
}

function doneAt({ completion, startedAt }: StepState): string {
  return completion?.at ?? startedAt;
}
