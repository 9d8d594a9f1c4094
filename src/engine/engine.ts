import type { CheckResult } from "../gates/check.ts";
import { defined } from "../kit/defined.ts";
import type { JsonObject } from "../kit/json.ts";
import { objectProblem } from "../kit/object-limits.ts";
import type { BackCommand, BeginCommand, OpenCommand } from "../workflow/command.ts";
import type { ContentRecord } from "../workflow/events.ts";
import { callsWorkflows } from "../workflow/follow-route.ts";
import type { ItemState, ItemsOverview } from "../workflow/item-state.ts";
import { lateCopy } from "../workflow/named-attempts.ts";
import { mergeWarnings, type Warning } from "../workflow/notice.ts";
import { attemptKey, type StepRef } from "../workflow/step-ref.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";
import { answerBlocked, type BlockedResponse } from "./answer-blocked.ts";
import type { AnswerRequest } from "./answer-request.ts";
import { type ApprovableWork, type ApprovalGiven, askForApproval } from "./ask-for-approval.ts";
import { buildReply, mentionedMove, refuseCall, trackOthersMoves } from "./build-reply.ts";
import type { CallerContext } from "./caller.ts";
import { carryOutAnswer } from "./carry-out-answer.ts";
import { commandFor, completeStep, definitionRefusal, type Meaning } from "./complete.ts";
import { openCorrection } from "./corrections.ts";
import type { EngineDeps } from "./engine-deps.ts";
import { type OpenStepReview, openStepReviews } from "./open-steps.ts";
import type { StaleProof } from "./ports/checks.ts";
import type { Content } from "./ports/content.ts";
import type { ItemSession, ListProblem } from "./ports/definitions.ts";
import type { LoadedStream } from "./ports/event-log.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest, OpenRequest } from "./request.ts";
import { type RunStatus, runStatus, type StreamOverview, streamOverview } from "./run-status.ts";
import { readSavedFile, type SavedText } from "./saved-files.ts";
import { type InTurn, staleProofs } from "./step-checks.ts";
import { listSubmissions, type SubmissionReview } from "./submissions.ts";
import { load, readStream, transact } from "./transact.ts";
import { type UpdateResult, updateDefinition } from "./update-definition.ts";
import { itemFacts, loadSettled, openItem, settleItems, withItems } from "./work-on-items.ts";

/** One stream at work, a bot's or a session's; every transport goes through this. */
export type Engine = {
  readonly id: StreamId;
  /** Opens the named step, or the current one; a completed step is shown for review. */
  open(caller: CallerContext, request: OpenRequest): Promise<Reply>;
  /** Completes a step; `read` is the history as this call has read it already. */
  complete(caller: CallerContext, request: CompleteRequest, read?: LoadedStream): Promise<Reply>;
  /** Opens an item of the current step of a workflow, or of the one in focus; the reply names its session. */
  openItem(
    caller: CallerContext,
    item: string,
    named: { readonly workflow?: string; readonly parent: { readonly id: string; readonly isBot: boolean } },
  ): Promise<Reply>;
  /** The facts with which the session of an item begins. */
  itemSession(ref: StepRef, item: ItemState): Promise<ItemSession | ListProblem>;
  /** Records which items have ended, and completes their step if nothing else is required; returns what is left. */
  settleItems(caller: CallerContext, workflow: string): Promise<ItemsOverview | undefined>;
  /** Tells if a completion may be a late copy of one that this stream has; `read` is the stream as this call has read it already. */
  isLateCopy(caller: CallerContext, request: CompleteRequest, read?: StreamSnapshot): Promise<boolean>;
  /** Records a check's result that came from elsewhere; false if its attempt is no longer open. */
  recordCheck(caller: CallerContext, ref: StepRef, result: CheckResult): Promise<boolean>;
  /** Records a person's answer from a terminal or page; an approval completes the step if nothing else is missing. */
  answer(caller: CallerContext, asked: AnswerRequest): Promise<Reply>;
  /** Records a person's answer to a blocked step, or a waiver of what an open step requires. */
  respond(caller: CallerContext, given: BlockedResponse): Promise<Reply>;
  /** The open steps, blocked ones first. */
  openSteps(): Promise<readonly OpenStepReview[]>;
  /** Goes back to a completed step, for a person. */
  back(caller: CallerContext, command: Omit<BackCommand, "kind">): Promise<Reply>;
  /** Archives unfinished work, for a person. */
  archive(caller: CallerContext, reason?: string): Promise<Reply>;
  /** Moves a session to the current version of its definition, for a person who was `shown` it; otherwise says what would happen. */
  update(caller: CallerContext, shown?: string): Promise<UpdateResult>;
  /** Begins a session once, with its first step open. */
  begin(caller: CallerContext, facts: BeginCommand["facts"]): Promise<Reply>;
  /** Reports the status of every run without changing anything. */
  status(): Promise<RunStatus>;
  /** The same from history and plan alone, for lists of many streams. */
  overview(): Promise<StreamOverview>;
  /** The proofs that no longer hold for the current files; other calls run in the meantime. */
  staleProofs(): Promise<readonly StaleProof[]>;
  /** The latest submission of every run, in full. */
  submissions(): Promise<readonly SubmissionReview[]>;
  /** Reads the stream for a caller that shows no warnings; they are kept for the next reply. */
  peek(): Promise<StreamSnapshot>;
  /** Tells if any step was ever opened here, independent ones included. */
  hasBegun(): Promise<boolean>;
  /** Reads the stream with its views settled, and the warnings to show. */
  inspect(caller: CallerContext): Promise<{ readonly stream: StreamSnapshot; readonly warnings: readonly Warning[] }>;
  /** A file that this stream has saved, in one workflow or in any, as submitted; undefined if there is none. */
  readSaved(path: string, workflow?: string): Promise<SavedText | undefined>;
  /** The notices that no reply has carried yet. */
  pendingNotices(): readonly Warning[];
  /** Takes those notices; they count as delivered. */
  takeNotices(): readonly Warning[];
  /** The views in the project area as the history has them. */
  views(): Promise<JsonObject>;
  /** Writes what waits in memory; returns warnings about what still cannot be written, and what was lost. */
  settle(): Promise<readonly string[]>;
  /** Tells if nothing is under way or waits, so that another engine can take over. */
  isIdle(): boolean;
};

/** The most engines that are kept open; another is opened again from the record at its next use. */
export const mostEngines = 500;

/** The interval between tries to write what waits in memory, in milliseconds. */
const retryIntervalMs = 1000;

/** Builds the engine of one stream. Calls run one at a time; the store handles other processes. */
export function createEngine(given: EngineDeps, initialNotices: readonly Warning[] = []): Engine {
  const { id, log, views } = given;
  const content = { ...given.content, save: saveAndRemember };
  const notifiedForks = new Map<string, number>();
  const notifiedGone = new Map<string, string>();
  const parts: EngineDeps = { ...given, content, notifiedForks, notifiedGone };
  let last: Promise<unknown> = Promise.resolve();
  let underWay = 0;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    underWay += 1;
    const result = last.then(work, work);
    // its result is not kept: there may be many engines
    const done = (): void => {
      underWay -= 1;
    };
    last = result.then(done, done);
    return result;
  };
  // content that a crash or a full disk left unsaved is saved before anything else
  let mayHaveLeftOvers = true;
  async function saveAndRemember(...args: Parameters<Content["save"]>): Promise<readonly string[]> {
    const warnings = await given.content.save(...args);
    if (warnings.length > 0) mayHaveLeftOvers = true;
    return warnings;
  }
  /** Notices found without a reply to carry them; the next caller gets each of them once. */
  let pendingNotices: readonly Warning[] = initialNotices;
  const keep = (said: readonly Warning[]): void => {
    pendingNotices = mergeWarnings(pendingNotices, said);
  };
  const takeNotices = (): readonly Warning[] => {
    const taken = pendingNotices;
    pendingNotices = [];
    return taken;
  };
  /** Delivers the pending notices with the next reply, and keeps them if there is none. */
  async function withPendingNotices<T>(work: (heard: readonly Warning[]) => Promise<T>): Promise<T> {
    const heard = takeNotices();
    try {
      return await work(heard);
    } catch (error) {
      keep(heard);
      throw error;
    }
  }
  let begun = false;
  const peek = (): Promise<StreamSnapshot> =>
    inTurn(async () => {
      const { stream, warnings } = await log.load(id);
      keep(warnings);
      return stream;
    });
  let retry: NodeJS.Timeout | undefined;
  async function saveAll(): Promise<readonly string[]> {
    const unsaved = mayHaveLeftOvers ? await saveLeftOvers(given) : [];
    mayHaveLeftOvers = unsaved.length > 0;
    return unsaved;
  }
  const settle = (): Promise<readonly string[]> =>
    inTurn(async () => {
      if (!mayHaveLeftOvers && !log.hasUnwritten(id)) return [];
      const { warnings } = await log.load(id);
      return [...warnings, ...(await saveAll())];
    });
  /** Retries in the background while something waits in memory. */
  function tryAgainLater(): void {
    if (retry !== undefined || !(mayHaveLeftOvers || log.hasUnwritten(id))) return;
    retry = setTimeout(async () => {
      const warnings = await settle().catch(() => []);
      retry = undefined;
      if (!log.hasUnwritten(id) && !mayHaveLeftOvers) keep(warnings);
      tryAgainLater();
    }, retryIntervalMs);
    retry.unref();
  }
  /** Notes what a caller has been notified of and is not told again. */
  function noteNotified({ id: caller }: CallerContext, said: readonly Warning[]): void {
    for (const one of said) {
      if (typeof one === "string") continue;
      if (one.kind === "set_aside") notifiedForks.set(caller, one.count);
      if (one.kind === "completed_gone") notifiedGone.set(caller, String(one.steps));
    }
  }
  const saveFirst = (caller: CallerContext, work: () => Promise<Reply>): Promise<Reply> =>
    inTurn(async () => {
      const unsaved = await saveAll();
      return withPendingNotices(async (initialNotices) => {
        const reply = await work();
        noteNotified(caller, reply.warnings);
        tryAgainLater();
        return { ...reply, warnings: [...initialNotices, ...reply.warnings, ...unsaved] };
      });
    });
  const movedBy = trackOthersMoves();
  const withOthers = (caller: CallerContext, reply: Reply): Reply => {
    const moved = movedBy(caller, reply.stream, mentionedMove(reply));
    return moved.length === 0 ? reply : { ...reply, warnings: [...moved, ...reply.warnings] };
  };
  async function withApproval(
    caller: CallerContext,
    confirmation: string | undefined,
    carryOut: ApprovableWork["carryOut"],
  ): Promise<Reply> {
    const inTurn: ApprovableWork["inTurn"] = (work) => saveFirst(caller, work);
    const reply = await askForApproval(parts, caller, { inTurn, confirmation, carryOut });
    if (reply.question === undefined) return withOthers(caller, reply);
    keep(reply.warnings); // a question leaves without the reply
    return reply;
  }
  /** Adds the items of the shown step, if it has any. */
  const shownItems = async (caller: CallerContext, reply: Reply): Promise<Reply> =>
    reply.shown?.calls === undefined ? reply : withItems(parts, caller, reply);
  const carryOut = async (caller: CallerContext, command: Parameters<typeof transact>[2]): Promise<Reply> =>
    saveFirst(caller, async () => buildReply(parts, await transact(parts, caller, command)));
  return {
    id,
    open: (caller, request) =>
      withApproval(caller, request.confirmation, async (given) =>
        shownItems(caller, await openStep(parts, inTurn, caller, request, given)),
      ),
    complete(caller, request, read) {
      const meaning: Meaning = defined({ read });
      const complete = async (given: ApprovalGiven) =>
        shownItems(caller, await completeStep(parts, inTurn, caller, request, given, meaning));
      return withApproval(caller, request.confirmation, complete);
    },
    openItem: (caller, item, named) => saveFirst(caller, () => openItem(parts, caller, item, named)),
    itemSession: async (ref, item) => itemFacts(parts, ref, item),
    settleItems: (caller, workflow) => inTurn(() => settleItems(parts, inTurn, caller, workflow)),
    isLateCopy: async (caller, request, read) =>
      lateCopy(commandFor(request, {}), { stream: read ?? (await peek()), caller }) !== undefined,
    recordCheck: (caller, ref, result) =>
      inTurn(async () => {
        const { outcome } = (await transact(parts, caller, { kind: "checked", ref, result })).decision;
        return outcome.kind === "checked" && outcome.counts;
      }),
    answer: (caller, asked) =>
      carryOutAnswer(parts, { inTurn, saveFirst: (work) => saveFirst(caller, work) }, caller, asked),
    openSteps: () => inTurn(() => openStepReviews(parts)),
    respond: (caller, given) =>
      saveFirst(caller, async () => {
        const reply = await answerBlocked(parts, caller, given);
        if (reply.outcome.kind === "unblocked") await loadSettled(parts, inTurn, caller, await load(parts, caller));
        return reply;
      }),
    back: (caller, command) => carryOut(caller, { kind: "back", ...command }),
    archive: (caller, reason) => carryOut(caller, { kind: "archive", ...defined({ reason }) }),
    update: (caller, shown) => inTurn(() => updateDefinition(parts, caller, shown)),
    begin: (caller, facts) =>
      saveFirst(caller, async () =>
        shownItems(caller, await buildReply(parts, await transact(parts, caller, { kind: "begin", facts }))),
      ),
    status: () => inTurn(() => runStatus(parts)),
    overview: () => inTurn(() => streamOverview(parts)),
    staleProofs: async () => {
      const { reading, snapshot } = await readStream(given);
      return staleProofs(parts, reading.plan, snapshot.stream);
    },
    submissions: () => inTurn(() => listSubmissions(parts)),
    peek,
    async hasBegun() {
      if (begun) return true; // once and for all
      const { moves, independentSteps } = await peek();
      begun = moves.length > 0 || independentSteps.size > 0;
      return begun;
    },
    inspect: (caller) =>
      inTurn(() =>
        withPendingNotices(async (initialNotices) => {
          const { reading, situation, warnings } = await load(parts, caller);
          noteNotified(caller, warnings);
          return {
            stream: situation.stream,
            warnings: [...initialNotices, ...warnings, ...((await reading.later?.()) ?? [])],
          };
        }),
      ),
    readSaved: (path, workflow) => readSavedFile(given, path, workflow),
    pendingNotices: () => pendingNotices,
    takeNotices,
    views: () => inTurn(() => views.contents(id)),
    settle,
    isIdle: () => underWay === 0 && retry === undefined && pendingNotices.length === 0 && !log.hasUnwritten(id),
  };
}

/** Opens a step: recorded first, then shown. A correction is applied at once. */
async function openStep(
  deps: EngineDeps,
  inTurn: InTurn,
  caller: CallerContext,
  { part, confirmation: _, ...request }: OpenRequest,
  given: ApprovalGiven,
): Promise<Reply> {
  const command: OpenCommand = { kind: "open", ...request };
  const problem = objectProblem("inputs", command.inputs);
  const found = await load(deps, caller);
  const isCalling = callsWorkflows(found.reading.plan);
  const loaded = isCalling ? await loadSettled(deps, inTurn, caller, found, command.workflow) : found;
  if (problem !== undefined)
    return refuseCall(deps, caller, loaded, { kind: "invalid_input", message: problem, fix: "Send a smaller object." });
  const { closed } = loaded.reading;
  if (closed !== undefined) return refuseCall(deps, caller, loaded, definitionRefusal(closed));
  const corrected = await openCorrection(deps, caller, command, loaded, given);
  return corrected ?? buildReply(deps, await transact(deps, caller, command, { loaded }), undefined, part);
}

async function saveLeftOvers({ id, content, log }: EngineDeps): Promise<readonly string[]> {
  let completed: Map<string, readonly ContentRecord[]> | undefined;
  const load = async (): Promise<Map<string, readonly ContentRecord[]>> => {
    const found = new Map<string, readonly ContentRecord[]>();
    for await (const { events } of log.records(id))
      for (const event of events) if (event.type === "completed") found.set(attemptKey(event), event.content ?? []);
    return found;
  };
  return content.saveLeftOvers(id, async (ref) => {
    completed ??= await load();
    return completed.get(attemptKey(ref));
  });
}
