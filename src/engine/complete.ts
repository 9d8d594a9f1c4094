import { looksOutside } from "../evidence/gate.ts";
import { digestOf } from "../evidence/json.ts";
import { objectProblem } from "../evidence/object-problem.ts";
import type { OpenStep } from "../workflow/close-step.ts";
import type { CompleteCommand } from "../workflow/command.ts";
import { openFor } from "../workflow/decide-complete.ts";
import { mergeHandedIn } from "../workflow/desk.ts";
import type { ContentRecord, HandedIn } from "../workflow/events.ts";
import type { Decision } from "../workflow/outcome.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { approvalsThatHold } from "./approvals.ts";
import type { Given } from "./ask-for-word.ts";
import type { Calling } from "./caller.ts";
import { type InTurn, lookAtChecks } from "./checks.ts";
import { completeAside } from "./corrections.ts";
import { describe, refuseAtPlace } from "./describe.ts";
import type { DeskParts } from "./desk-parts.ts";
import { type HeldIn, holdContent, readyContent } from "./hold-content.ts";
import type { ContentFile, HandedInAt, PlanReading } from "./ports.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest } from "./request.ts";
import { runRules } from "./rules.ts";
import { type Readied, type Surveyed, survey, transact } from "./transact.ts";

/** Completes a step: what is handed in is kept first, and counts once everything is there that must be, a person's word too. */
export async function completeStep(
  parts: DeskParts,
  inTurn: InTurn,
  caller: Calling,
  request: CompleteRequest,
  given: Given,
): Promise<Reply> {
  const no = (refusal: Refusal, workflow = request.workflow): Promise<Reply> =>
    refuseAtPlace(parts, caller, refusal, workflow);
  const problem = objectProblem("outputs", request.outputs) ?? objectProblem("evidence", request.evidence);
  if (problem !== undefined) return no(invalid(problem, "Write large results to files, and hand those in as content."));

  const surveyed = await survey(parts, caller);
  const { closed } = surveyed.reading;
  if (closed !== undefined) return no(refusalOf(closed));
  const asked = commandFor(request, given);
  const open = openFor(asked, surveyed.situation);
  if ("events" in open) {
    if (open.outcome.kind === "aside_completed")
      return completeAside(parts, caller, request, asked, surveyed, open.outcome);
    return recorded(parts, caller, asked, surveyed, []);
  }

  const held = await holdContent(parts, surveyed, open, request);
  if ("refused" in held) {
    const reasons = held.refused.map(({ path, reason }) => `content path ${JSON.stringify(path)}: ${reason}`);
    return no(invalid(reasons.join("; "), "Use paths of ordinary files inside the project area."), open.ref.workflow);
  }
  const content = held.records.length === 0 ? {} : { content: held.records };
  const observed = await observe(parts, open, asked.handed, held);
  const judged = await judge(parts, surveyed, open, held);
  const judgeable = { ...asked, ...observed, ...judged, handed: { ...asked.handed, ...content } };
  const checks = await lookAtChecks(parts, inTurn, caller, open, judgeable);
  const checked = { ...judgeable, ...checks, ...(await changedOutside(parts, surveyed, open, held.records)) };
  const spoiled = judged.violations === undefined ? await spoiledFiles(parts, open, held.records) : [];
  const said = spoiled.map(({ path, problem }) => `${path}: ${problem}.`);
  if (spoiled.some(({ isLost }) => isLost)) return no(invalid(said.join(" "), "Hand it in again."), open.ref.workflow);
  // What people said yes to elsewhere was said to the files as they were handed in.
  const approvals = spoiled.length > 0 ? [] : await approvalsThatHold(parts, open.ref, open.state);
  const command = approvals.length === 0 ? checked : { ...checked, approvals };
  return recorded(parts, caller, command, surveyed, [...held.warnings, ...said]);
}

/** What of the files on record is no longer what was handed in: where no gate looks at them, it is said. */
async function spoiledFiles(
  { id, content }: DeskParts,
  { ref, state }: OpenStep,
  now: readonly ContentRecord[],
): Promise<readonly Extract<ContentFile, { problem: string }>[]> {
  const { content: newest = [] } = mergeHandedIn(state.handed, { content: now });
  const files = newest.length === 0 ? [] : await content.read(id, ref, newest);
  return files.filter((file) => "problem" in file);
}

/** What was changed outside what the step may change, where somebody says what that is. */
async function changedOutside(
  { id, workTree }: DeskParts,
  { situation: { desk } }: Surveyed,
  { ref, state: { edits, handed: before } }: OpenStep,
  now: readonly ContentRecord[],
): Promise<Pick<CompleteCommand, "outside">> {
  if (edits === undefined || workTree === undefined) return {};
  const { content: handed = [] } = mergeHandedIn(before, { content: now });
  const steps = [...desk.runs.values()].flatMap((run) => [...run.steps.values()]);
  const saved = steps.flatMap((state) => (state.status === "completed" ? (state.handed.content ?? []) : []));
  return { outside: await workTree.changedOutside(id, ref, edits, { handed, saved }) };
}

/** What the server itself finds out about the evidence, where the gate wants that. */
async function observe(
  parts: DeskParts,
  { ref, step: { gate }, state }: OpenStep,
  handed: HandedIn,
  { records: now }: HeldIn,
): Promise<Pick<CompleteCommand, "observed">> {
  if (gate === undefined || !looksOutside(gate)) return {};
  const { id, content } = parts;
  const { content: newest = [] } = mergeHandedIn(state.handed, { content: now });
  const handedIn: HandedInAt = async (written, kind) => {
    const name = content.nameOf(written);
    const here = newest.filter(({ path }) => (kind === "file" ? path === name : path.startsWith(`${name}/`)));
    if (here.length === 0) return (await content.isSaved?.(name, kind)) === true ? "on_record" : undefined;
    const files = await content.read(id, ref, here);
    return files.some((file) => file.isNew && "text" in file) ? "to_be_saved" : "on_record";
  };
  return { observed: await parts.observe(gate, handed.evidence ?? state.handed.evidence ?? {}, handedIn) };
}

/** What the rules say of what would count, where the step or its gate wants that. */
async function judge(
  parts: DeskParts,
  { situation: { plan, desk } }: Surveyed,
  { ref, step, state }: OpenStep,
  { records: now, unread }: HeldIn,
): Promise<Pick<CompleteCommand, "violations" | "rules">> {
  if (parts.definitions.rules?.checks(step.name) !== true && step.gate?.rulesHold !== true) return {};
  const records = [...(state.handed.content ?? []), ...now];
  return runRules(parts, plan, desk, ref.workflow, { ref, records, unread });
}

/** Records the completion and saves what was held for it: with the record, or once it counts. */
async function recorded(
  parts: DeskParts,
  caller: Calling,
  command: CompleteCommand,
  surveyed: Surveyed,
  said: readonly string[],
): Promise<Reply> {
  const ready = (decision: Decision, seen: Surveyed): Promise<Readied> => readyContent(parts, decision, seen);
  const transacted = await transact(parts, caller, command, { surveyed, ready });
  const { outcome, events } = transacted.decision;
  const counted = events.find((event) => event.type === "completed");
  const reply = await describe(parts, transacted, command.violations);
  const { content = [] } = counted !== undefined && "handed" in outcome ? outcome.handed : {};
  const isEmpty = counted === undefined || content.length === 0;
  const saved = isEmpty ? [] : (transacted.saved ?? (await parts.content.save(parts.id, counted, content)));
  return { ...reply, warnings: [...reply.warnings, ...said, ...saved] };
}

function commandFor(request: CompleteRequest, given: Given): CompleteCommand {
  const { outputs } = request;
  const evidence = isNothingNew(request) ? undefined : request.evidence;
  const workflow = given.agreed?.ref.workflow ?? request.workflow;
  const step = given.agreed?.ref.step ?? request.step;
  const handed: HandedIn = {
    ...(outputs === undefined ? {} : { outputs }),
    ...(evidence === undefined ? {} : { evidence }),
  };
  const meant = { ...(workflow === undefined ? {} : { workflow }), ...(step === undefined ? {} : { step }) };
  const { confirmation: _, ...handIn } = request;
  const sent = { fingerprint: fingerprint(request), handIn: fingerprint(handIn) };
  return { kind: "complete", handed, ...sent, ...meant, ...given };
}

/** Whoever passes a person's word on has handed the evidence in before, and sends an empty one where a schema wants one. */
function isNothingNew({ evidence, confirmation }: CompleteRequest): boolean {
  return confirmation !== undefined && evidence !== undefined && Object.keys(evidence).length === 0;
}

function fingerprint({ outputs, evidence, content, confirmation }: CompleteRequest): string {
  return digestOf([outputs ?? null, evidence ?? null, content ?? null, confirmation ?? null]).slice(0, 32);
}

function invalid(message: string, fix: string): Refusal {
  return { kind: "invalid_input", message, fix };
}

/** No to work by definitions that cannot be used. */
export function refusalOf(closed: NonNullable<PlanReading["closed"]>): Refusal {
  return "gone" in closed
    ? { kind: "definition_gone", workflow: closed.gone }
    : { kind: "invalid_definition", problem: closed.problem };
}
