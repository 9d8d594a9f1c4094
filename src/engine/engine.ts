import type { JsonObject } from "../evidence/json.ts";
import { objectProblem } from "../evidence/object-problem.ts";
import type { BackCommand, BeginCommand, OpenCommand } from "../workflow/command.ts";
import type { Desk } from "../workflow/desk.ts";
import type { ContentRecord } from "../workflow/events.ts";
import { eachOnce, type Said } from "../workflow/notice.ts";
import { attemptKey } from "../workflow/step-ref.ts";
import { answer, type PersonsAnswer } from "./answer.ts";
import { askForWord, type Given, type Work } from "./ask-for-word.ts";
import type { Calling } from "./caller.ts";
import { staleProofs } from "./checks.ts";
import { completeStep, refusalOf } from "./complete.ts";
import { openCorrection } from "./corrections.ts";
import { describe, refuseAtPlace } from "./describe.ts";
import type { DeskParts } from "./desk-parts.ts";
import { type HandIn, handIns } from "./hand-ins.ts";
import { othersMoves } from "./others-moves.ts";
import type { Content, DeskId, StaleProof } from "./ports.ts";
import { readDesk } from "./read-desk.ts";
import type { Reply } from "./reply.ts";
import type { CompleteRequest, OpenRequest } from "./request.ts";
import { type ReadSaved, readSavedAt } from "./saved-files.ts";
import { type Mapped, mapped, type Standing, standing } from "./standing.ts";
import { survey, transact } from "./transact.ts";

/** One desk at work, a bot's or a session's: every door goes through these. */
export type Engine = {
  readonly id: DeskId;
  /** Goes to a step: the named one, or where the work stands; one that is done is shown for review. */
  open(caller: Calling, request: OpenRequest): Promise<Reply>;
  complete(caller: Calling, request: CompleteRequest): Promise<Reply>;
  /** A person answers elsewhere (at a terminal, on a page) what waits for them: a yes completes it, where nothing else is missing. */
  answer(caller: Calling, asked: PersonsAnswer): Promise<Reply>;
  /** A person goes back to a completed step. */
  back(caller: Calling, command: Omit<BackCommand, "kind">): Promise<Reply>;
  /** A person puts unfinished work away. */
  archive(caller: Calling, reason?: string): Promise<Reply>;
  /** Begins a session: with its first step open, once. */
  begin(caller: Calling, facts: BeginCommand["facts"]): Promise<Reply>;
  /** Where every run stands, without changing anything. */
  standing(): Promise<Standing>;
  /** The same from the history and the plan alone: for lists of many. */
  map(): Promise<Mapped>;
  /** What steps proved and no longer holds on the files as they are; other calls go on while they are read. */
  stale(): Promise<readonly StaleProof[]>;
  /** What was handed in last in every run, whole, for people who look. */
  handIns(): Promise<readonly HandIn[]>;
  /** The desk as it is, for somebody who says nothing of it: what is found out is kept for the next reply. */
  glance(): Promise<Desk>;
  /** Whether anything was ever opened here, in its sequence or beside it. */
  hasBegun(): Promise<boolean>;
  /** The desk with its views settled, and what is to be said of it: for somebody who says it. */
  look(caller: Calling): Promise<{ readonly desk: Desk; readonly warnings: readonly Said[] }>;
  /** A file that this desk has saved, of one workflow or of any, as it was handed in; undefined where it saved none there. */
  readSaved(path: string, workflow?: string): Promise<ReadSaved | undefined>;
  /** What was found out and not said yet. */
  untold(): readonly Said[];
  /** The same, taken: it counts as said. */
  told(): readonly Said[];
  /** What the views in the project area say, or would say. */
  views(): Promise<JsonObject>;
  /** Writes what waits in memory, where that works now; says what still cannot be written, and what got lost. */
  settle(): Promise<readonly string[]>;
};

/** How long what waits in memory is left alone before writing it is tried again, in milliseconds. */
const betweenTries = 1000;

/** Builds the engine of one desk. Calls are carried out one at a time; other processes are the store's matter. */
export function createEngine(given: DeskParts, heard: readonly Said[] = []): Engine {
  const { id, log, views } = given;
  const content = { ...given.content, save: saveAndRemember };
  const toldAside = new Map<string, number>();
  const parts: DeskParts = { ...given, content, toldAside };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };
  // What a crash, or a full disk, kept from its place is put there before anything else happens.
  let mayHaveLeftOvers = true;
  async function saveAndRemember(...args: Parameters<Content["save"]>): Promise<readonly string[]> {
    const warnings = await given.content.save(...args);
    if (warnings.length > 0) mayHaveLeftOvers = true;
    return warnings;
  }
  /** What came out while nobody asked, or left without an answer: the next caller is told, of each thing once. */
  let untold: readonly Said[] = heard;
  const keep = (said: readonly Said[]): void => {
    untold = eachOnce(untold, said);
  };
  const told = (): readonly Said[] => {
    const taken = untold;
    untold = [];
    return taken;
  };
  /** Tells the next caller with what comes of its call; one that gets no answer was told nothing. */
  async function tellWith<T>(work: (heard: readonly Said[]) => Promise<T>): Promise<T> {
    const heard = told();
    try {
      return await work(heard);
    } catch (error) {
      keep(heard);
      throw error;
    }
  }
  let begun = false;
  const glance = (): Promise<Desk> =>
    inTurn(async () => {
      const { desk, warnings } = await log.look(id);
      keep(warnings);
      return desk;
    });
  let retry: NodeJS.Timeout | undefined;
  async function saveAll(): Promise<readonly string[]> {
    const unsaved = mayHaveLeftOvers ? await saveLeftOvers(given) : [];
    mayHaveLeftOvers = unsaved.length > 0;
    return unsaved;
  }
  const settle = (): Promise<readonly string[]> =>
    inTurn(async () => {
      if (!mayHaveLeftOvers && !log.owes(id)) return [];
      const { warnings } = await log.look(id);
      return [...warnings, ...(await saveAll())];
    });
  /** As long as something waits in memory, writing it is tried again, asked or not. */
  function tryAgainLater(): void {
    if (retry !== undefined || !(mayHaveLeftOvers || log.owes(id))) return;
    retry = setTimeout(async () => {
      const warnings = await settle().catch(() => []);
      retry = undefined;
      if (!log.owes(id) && !mayHaveLeftOvers) keep(warnings);
      tryAgainLater();
    }, betweenTries);
    retry.unref();
  }
  /** What a caller has heard of records that were set aside is not said to it again. */
  function hear({ id: caller }: Calling, said: readonly Said[]): void {
    for (const one of said) if (typeof one !== "string" && one.kind === "set_aside") toldAside.set(caller, one.count);
  }
  const saveFirst = (caller: Calling, work: () => Promise<Reply>): Promise<Reply> =>
    inTurn(async () => {
      const unsaved = await saveAll();
      return tellWith(async (heard) => {
        const reply = await work();
        hear(caller, reply.warnings);
        tryAgainLater();
        return { ...reply, warnings: [...heard, ...reply.warnings, ...unsaved] };
      });
    });
  const movedBy = othersMoves();
  const withOthers = (caller: Calling, reply: Reply): Reply => {
    const moved = movedBy(caller, reply.desk, saidOf(reply));
    return moved.length === 0 ? reply : { ...reply, warnings: [...moved, ...reply.warnings] };
  };
  async function withWord(
    caller: Calling,
    confirmation: string | undefined,
    carryOut: Work["carryOut"],
  ): Promise<Reply> {
    const inTurn: Work["inTurn"] = (work) => saveFirst(caller, work);
    const reply = await askForWord(parts, caller, { inTurn, confirmation, carryOut });
    if (reply.question === undefined) return withOthers(caller, reply);
    keep(reply.warnings); // a question leaves without the reply
    return reply;
  }
  const carryOut = async (caller: Calling, command: Parameters<typeof transact>[2]): Promise<Reply> =>
    saveFirst(caller, async () => describe(parts, await transact(parts, caller, command)));
  return {
    id,
    open: (caller, request) =>
      withWord(caller, request.confirmation, (given) => openStep(parts, caller, request, given)),
    complete: (caller, request) =>
      withWord(caller, request.confirmation, (given) => completeStep(parts, inTurn, caller, request, given)),
    answer: (caller, asked) => answer(parts, { inTurn, saveFirst: (work) => saveFirst(caller, work) }, caller, asked),
    back: (caller, command) => carryOut(caller, { kind: "back", ...command }),
    archive: (caller, reason) => carryOut(caller, { kind: "archive", ...(reason === undefined ? {} : { reason }) }),
    begin: (caller, facts) => carryOut(caller, { kind: "begin", facts }),
    standing: () => inTurn(() => standing(parts)),
    map: () => inTurn(() => mapped(parts)),
    stale: async () => {
      const { reading, snapshot } = await readDesk(given);
      return staleProofs(parts, reading.plan, snapshot.desk);
    },
    handIns: () => inTurn(() => handIns(parts)),
    glance,
    async hasBegun() {
      if (begun) return true; // once and for all
      const { moves, asides } = await glance();
      begun = moves.length > 0 || asides.size > 0;
      return begun;
    },
    look: (caller) =>
      inTurn(() =>
        tellWith(async (heard) => {
          const { reading, situation, warnings } = await survey(parts, caller);
          hear(caller, warnings);
          return { desk: situation.desk, warnings: [...heard, ...warnings, ...((await reading.later?.()) ?? [])] };
        }),
      ),
    readSaved: (path, workflow) => readSavedAt(given, path, workflow),
    untold: () => untold,
    told,
    views: () => inTurn(() => views.shown(id)),
    settle,
  };
}

/** The move that a reply tells by itself. */
function saidOf({ outcome }: Reply): number | undefined {
  return outcome.kind === "refused" && outcome.refusal.kind === "moved" ? outcome.refusal.last?.number : undefined;
}

/** Opens a step: recorded first, then shown. An independent step that can be carried out at once is. */
async function openStep(
  parts: DeskParts,
  caller: Calling,
  { part, confirmation: _, ...request }: OpenRequest,
  given: Given,
): Promise<Reply> {
  const command: OpenCommand = { kind: "open", ...request };
  const problem = objectProblem("inputs", command.inputs);
  if (problem !== undefined)
    return refuseAtPlace(parts, caller, { kind: "invalid_input", message: problem, fix: "Send a smaller object." });
  const surveyed = await survey(parts, caller);
  const { closed } = surveyed.reading;
  if (closed !== undefined) return refuseAtPlace(parts, caller, refusalOf(closed));
  const corrected = await openCorrection(parts, caller, command, surveyed, given);
  return corrected ?? describe(parts, await transact(parts, caller, command, { surveyed }), undefined, part);
}

async function saveLeftOvers({ id, content, log }: DeskParts): Promise<readonly string[]> {
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
