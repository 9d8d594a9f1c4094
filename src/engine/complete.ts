import { needsObservation } from "../gates/gate.ts";
import { isEmpty } from "../gates/value-type.ts";
import { defined } from "../kit/defined.ts";
import { digestOf } from "../kit/json.ts";
import { objectProblem } from "../kit/object-limits.ts";
import type { CompleteCommand } from "../workflow/command.ts";
import { responseTextProblem } from "../workflow/decide-blocked.ts";
import { findOpenStep } from "../workflow/decide-complete.ts";
import type { OpenStep } from "../workflow/decision-context.ts";
import type { ContentRecord, StepRef, Submission } from "../workflow/events.ts";
import { callsWorkflows } from "../workflow/follow-route.ts";
import type { Decision } from "../workflow/outcome.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { mergeSubmissions } from "../workflow/stream-snapshot.ts";
import { withWaivers } from "../workflow/waivers.ts";
import type { ApprovalGiven } from "./ask-for-approval.ts";
import { buildReply, refuseCall } from "./build-reply.ts";
import type { CallerContext } from "./caller.ts";
import { completeIndependentStep } from "./corrections.ts";
import type { EngineDeps } from "./engine-deps.ts";
import { type HeldSubmission, holdContent, prepareContent } from "./hold-content.ts";
import type { SubmittedAt } from "./ports/checks.ts";
import type { ContentFile } from "./ports/content.ts";
import type { PlanReading } from "./ports/definitions.ts";
import type { LoadedStream } from "./ports/event-log.ts";
import { validApprovals, validWaivers } from "./prove-approvals.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest } from "./request.ts";
import { runRules } from "./run-rules.ts";
import { type InTurn, startChecks } from "./step-checks.ts";
import { loadItems } from "./sync-items.ts";
import { type Behind, type Loaded, load, type PreparedDecision, transactOnce, untilRecorded } from "./transact.ts";

/** The meaning of a call: its attempt, once found, for every later look, and the history that it has read, for its first look. */
export type Meaning = { ref?: StepRef; read?: LoadedStream };

/** Completes a step: holds the submission, judges it, and records the completion once nothing is missing, approval included. */
export function completeStep(
  deps: EngineDeps,
  inTurn: InTurn,
  caller: CallerContext,
  request: CompleteRequest,
  given: ApprovalGiven,
  meaning: Meaning = {},
): Promise<Reply> {
  // what was judged may not be what another writer left, so everything is judged again
  return untilRecorded(undefined, () => tryToComplete(deps, inTurn, caller, request, given, meaning));
}

async function tryToComplete(
  deps: EngineDeps,
  inTurn: InTurn,
  caller: CallerContext,
  request: CompleteRequest,
  given: ApprovalGiven,
  meaning: Meaning,
): Promise<Reply | Behind> {
  const problem = objectProblem("outputs", request.outputs) ?? objectProblem("evidence", request.evidence);
  const { read } = meaning;
  delete meaning.read;
  const found = await load(deps, caller, { read });
  const isCalling = callsWorkflows(found.reading.plan);
  const loaded = isCalling ? await loadItems(deps, caller, found, request.workflow ?? meaning.ref?.workflow) : found;
  const no = (refusal: Refusal, workflow = request.workflow): Promise<Reply> =>
    refuseCall(deps, caller, loaded, refusal, workflow);
  if (problem !== undefined) return no(invalid(problem, "Write large results to files and submit those as content."));
  const unreadable = request.blocked === undefined ? undefined : responseTextProblem("blocked", request.blocked);
  if (unreadable !== undefined) return no(invalid(unreadable, "Say in a few sentences why the step cannot be done."));
  const { closed } = loaded.reading;
  if (closed !== undefined) return no(definitionRefusal(closed));
  const meant = defined({ meant: meaning.ref });
  const baseCommand = { ...commandFor(request, given), ...meant };
  const here = findOpenStep(baseCommand, loaded.situation);
  if ("events" in here) {
    const { outcome } = here;
    if (outcome.kind === "aside_completed" && request.blocked !== undefined)
      return no(invalid(`${outcome.step} is outside the workflow`, "Leave it open and tell the person why."));
    if (outcome.kind === "aside_completed")
      return completeIndependentStep(deps, caller, request, baseCommand, loaded, outcome);
    return recordCompletion(deps, baseCommand, loaded, []);
  }
  meaning.ref = here.ref;
  const { waivers: recorded } = here.state;
  const waived = recorded === undefined ? {} : { waivers: await validWaivers(deps, here.ref, recorded) };
  const open = recorded === undefined ? here : withWaivers(here, waived, loaded.situation.plan);

  const held = await holdContent(deps, loaded, open, request);
  if ("unstored" in held) return no({ kind: "not_stored", paths: held.unstored }, open.ref.workflow);
  if ("refused" in held) {
    const reasons = held.refused.map(({ path, reason }) => `content path ${JSON.stringify(path)}: ${reason}`);
    return no(invalid(reasons.join("; "), "Use paths of ordinary files inside the project area."), open.ref.workflow);
  }
  const content = held.records.length === 0 ? {} : { content: held.records };
  if (request.blocked !== undefined) {
    const report = { ...baseCommand, submitted: { ...baseCommand.submitted, ...content } };
    return recordCompletion(deps, report, loaded, held.warnings);
  }
  const answers = await missingAnswers(deps, open, { ...baseCommand.submitted, ...content });
  const observed = await observeStep(deps, open, baseCommand.submitted, held);
  const judged = await judgeRules(deps, loaded, open, held);
  const judgeable = {
    ...baseCommand,
    ...waived,
    ...answers,
    ...observed,
    ...judged,
    submitted: { ...baseCommand.submitted, ...content },
  };
  const checks = await startChecks(deps, inTurn, caller, open, judgeable);
  const checked = { ...judgeable, ...checks, ...(await changedOutside(deps, loaded, open, held.records)) };
  const spoiled = judged.violations === undefined ? await changedFiles(deps, open, held.records) : [];
  const fileWarnings = spoiled.map(({ path, problem }) => `${path}: ${problem}.`);
  if (spoiled.some(({ isLost }) => isLost))
    return no(invalid(fileWarnings.join(" "), "Submit it again."), open.ref.workflow);
  // approvals given elsewhere cover the files as submitted
  const approvals = spoiled.length > 0 ? [] : await validApprovals(deps, open.ref, open.state);
  const command = approvals.length === 0 ? checked : { ...checked, approvals };
  const judgedOnce = { ...loaded, situation: { ...loaded.situation, open } };
  return recordCompletion(deps, command, judgedOnce, [...held.warnings, ...fileWarnings]);
}

/** The files of earlier calls that have changed or gone since they were submitted. */
async function changedFiles(
  { id, content }: EngineDeps,
  { ref, state }: OpenStep,
  now: readonly ContentRecord[],
): Promise<readonly Extract<ContentFile, { problem: string }>[]> {
  const before = (state.submitted.content ?? []).filter((one) => !now.some(({ path }) => path === one.path));
  const files = before.length === 0 ? [] : await content.read(id, ref, before);
  return files.filter((file) => "problem" in file);
}

/** The changes outside the step's `edits`; nothing if it declares none. */
async function changedOutside(
  { id, workTree }: EngineDeps,
  { situation: { stream } }: Loaded,
  { ref, state: { edits, submitted: before } }: OpenStep,
  now: readonly ContentRecord[],
): Promise<Pick<CompleteCommand, "outside">> {
  if (edits === undefined || workTree === undefined) return {};
  const { content: submitted = [] } = mergeSubmissions(before, { content: now });
  const steps = [...stream.runs.values()].flatMap((run) => [...run.steps.values()]);
  const saved = steps.flatMap((state) => (state.status === "completed" ? (state.submitted.content ?? []) : []));
  return { outside: await workTree.changedOutside(id, ref, edits, { submitted, saved }) };
}

/** Notes that a step asks for answers and this attempt has none; what an earlier attempt submitted does not count. */
async function missingAnswers(
  { definitions }: EngineDeps,
  { ref, state }: OpenStep,
  now: Submission,
): Promise<Pick<CompleteCommand, "lacksAnswers">> {
  if (definitions.asksQuestions === undefined) return {};
  const { outputs = {}, content = [] } = mergeSubmissions(state.submitted, now);
  const isAnswered = content.length > 0 || Object.values(outputs).some((value) => value !== null && !isEmpty(value));
  return !isAnswered && (await definitions.asksQuestions(ref.workflow, ref.step)) ? { lacksAnswers: true } : {};
}

/** Observes what the gate requires about the evidence. */
async function observeStep(
  deps: EngineDeps,
  { ref, gate, state }: OpenStep,
  submitted: Submission,
  { records: now }: HeldSubmission,
): Promise<Pick<CompleteCommand, "observed">> {
  if (gate === undefined || !needsObservation(gate)) return {};
  const { id, content } = deps;
  const { content: newest = [] } = mergeSubmissions(state.submitted, { content: now });
  const findSubmitted: SubmittedAt = async (written, kind) => {
    const name = content.normalizePath(written);
    const here = newest.filter(({ path }) => (kind === "file" ? path === name : path.startsWith(`${name}/`)));
    if (here.length === 0) return (await content.isSaved?.(name, kind)) === true ? "on_record" : undefined;
    const files = await content.read(id, ref, here);
    return files.some((file) => file.isNew && "text" in file) ? "to_be_saved" : "on_record";
  };
  return { observed: await deps.observe(gate, submitted.evidence ?? state.submitted.evidence ?? {}, findSubmitted) };
}

/** Runs the rules over the content that would count, if the step or its gate asks for it. */
async function judgeRules(
  deps: EngineDeps,
  { situation: { plan, stream } }: Loaded,
  { ref, step, state }: OpenStep,
  { records: now, unread }: HeldSubmission,
): Promise<Pick<CompleteCommand, "violations" | "rules">> {
  if (deps.definitions.rules?.checks(step.name) !== true && step.gate?.rulesHold !== true) return {};
  const records = [...(state.submitted.content ?? []), ...now];
  return runRules(deps, plan, stream, ref.workflow, { ref, records, unread });
}

/** Records the completion and saves its content, with the record or right after it. */
async function recordCompletion(
  deps: EngineDeps,
  command: CompleteCommand,
  loaded: Loaded,
  said: readonly string[],
): Promise<Reply | Behind> {
  const prepare = (decision: Decision): Promise<PreparedDecision> => prepareContent(deps, decision);
  const transacted = await transactOnce(deps, command, { loaded, prepare });
  if ("behind" in transacted) return transacted;
  const { outcome, events } = transacted.decision;
  if (outcome.kind === "checking") await deps.checks?.offer?.(outcome.checks);
  const counted = events.find((event) => event.type === "completed");
  const reply = await buildReply(deps, transacted, command.violations);
  const { content = [] } = counted !== undefined && "submitted" in outcome ? outcome.submitted : {};
  const isEmpty = counted === undefined || content.length === 0;
  const saved = isEmpty ? [] : (transacted.saved ?? (await deps.content.save(deps.id, counted, content)));
  return { ...reply, warnings: [...reply.warnings, ...said, ...saved] };
}

/** The command of a request, before anything is known about what it submits. */
export function commandFor(request: CompleteRequest, given: ApprovalGiven): CompleteCommand {
  const { outputs, blocked, attempt } = request;
  const evidence = isEmptyResubmission(request) ? undefined : request.evidence;
  const workflow = given.approvedSubmission?.ref.workflow ?? request.workflow;
  const step = given.approvedSubmission?.ref.step ?? request.step;
  const submitted: Submission = {
    ...defined({ outputs, evidence }),
  };
  const meant = { ...defined({ workflow, step }) };
  const { confirmation: _, ...submission } = request;
  const sent = { fingerprint: fingerprint(request), submissionFingerprint: fingerprint(submission) };
  return { kind: "complete", submitted, ...sent, ...meant, ...given, ...defined({ blocked, attempt }) };
}

/** Evidence was submitted before; a relayed confirmation sends an empty object only because the schema requires one. */
function isEmptyResubmission({ evidence, confirmation }: CompleteRequest): boolean {
  return confirmation !== undefined && evidence !== undefined && Object.keys(evidence).length === 0;
}

function fingerprint({ outputs, evidence, content, confirmation, blocked }: CompleteRequest): string {
  const sent = [outputs ?? null, evidence ?? null, content ?? null, confirmation ?? null];
  return digestOf(blocked === undefined ? sent : [...sent, blocked]).slice(0, 32);
}

function invalid(message: string, fix: string): Refusal {
  return { kind: "invalid_input", message, fix };
}

/** The refusal for definitions that cannot be used. */
export function definitionRefusal(closed: NonNullable<PlanReading["closed"]>): Refusal {
  return "gone" in closed
    ? { kind: "definition_gone", workflow: closed.gone }
    : { kind: "invalid_definition", problem: closed.problem };
}
