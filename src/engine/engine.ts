import type { BackCommand, OpenCommand } from "../workflow/command.ts";
import type { ContentRecord, Event, StepRef } from "../workflow/events.ts";
import type { JsonObject } from "../workflow/json.ts";
import { completeStep } from "./complete.ts";
import { describe } from "./describe.ts";
import { openStep } from "./open.ts";
import type { ObserveEvidence } from "./phased-ports.ts";
import type { CheckRules, Clock, ContentItem, ContentKeeper, Definitions, History } from "./ports.ts";
import type { Ask, Reply } from "./reply.ts";
import type { Session } from "./session.ts";
import { type Standing, standing } from "./standing.ts";
import { transact } from "./transact.ts";

/** Everything the engine of one desk needs from outside. */
export type EngineParts = {
  readonly definitions: Definitions;
  readonly history: History;
  readonly content: ContentKeeper;
  readonly checkRules: CheckRules;
  readonly observe: ObserveEvidence;
  readonly clock: Clock;
};

/** What a caller hands in to complete a step. */
export type CompleteRequest = {
  readonly workflow?: string;
  readonly step?: string;
  readonly outputs?: JsonObject;
  readonly evidence?: JsonObject;
  readonly content?: readonly ContentItem[];
  readonly confirmation?: string;
};

/** One desk at work: every door goes through these. */
export type Engine = {
  open(session: Session, command: Omit<OpenCommand, "kind">): Promise<Reply>;
  complete(session: Session, request: CompleteRequest, ask?: Ask): Promise<Reply>;
  /** A person goes back to a completed step. */
  back(session: Session, command: Omit<BackCommand, "kind">): Promise<Reply>;
  /** Where every run stands, without changing anything. */
  standing(): Promise<Standing>;
  events(): Promise<readonly Event[]>;
  /** How many records there are: changes whenever anything is recorded, by whomever. */
  seen(): Promise<number>;
  views: History["views"];
  /** Writes what waits in memory, where that works now; says what still cannot be written, and what got lost. */
  settle(): Promise<readonly string[]>;
};

/** How long what waits in memory is left alone before writing it is tried again, in milliseconds. */
const betweenTries = 1000;

async function saveLeftOvers({ content, history }: EngineParts): Promise<readonly string[]> {
  let completed: Map<string, readonly ContentRecord[]> | undefined;
  const events = await history.events();
  return content.saveLeftOvers((ref) => {
    completed ??= new Map(
      events.flatMap((event) => (event.type === "completed" ? [[refKey(event), event.content ?? []]] : [])),
    );
    return completed.get(refKey(ref));
  });
}

function refKey({ workflow, pass, step, attempt }: StepRef): string {
  return JSON.stringify([workflow, pass, step, attempt]);
}

/** Builds the engine of one desk. Calls are carried out one at a time; other processes are the store's matter. */
export function createEngine(given: EngineParts): Engine {
  const parts: EngineParts = { ...given, content: { ...given.content, save: saveAndRemember } };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work, work);
    last = result.catch(() => undefined);
    return result;
  };
  // What a crash, or a full disk, kept from its place is put there before anything else happens.
  let mayHaveLeftOvers = true;
  async function saveAndRemember(...args: Parameters<ContentKeeper["save"]>): Promise<readonly string[]> {
    const warnings = await given.content.save(...args);
    if (warnings.length > 0) mayHaveLeftOvers = true;
    return warnings;
  }
  /** What came out while nobody asked: the next caller is told. */
  let untold: readonly string[] = [];
  let retry: NodeJS.Timeout | undefined;
  async function saveAll(): Promise<readonly string[]> {
    const unsaved = mayHaveLeftOvers ? await saveLeftOvers(given) : [];
    mayHaveLeftOvers = unsaved.length > 0;
    return unsaved;
  }
  const settle = (): Promise<readonly string[]> =>
    inTurn(async () => {
      if (!mayHaveLeftOvers && !given.history.owes()) return [];
      const { warnings } = await given.history.look();
      return [...warnings, ...(await saveAll())];
    });
  /** As long as something waits in memory, writing it is tried again, asked or not. */
  function tryAgainLater(): void {
    if (retry !== undefined || !(mayHaveLeftOvers || given.history.owes())) return;
    retry = setTimeout(async () => {
      const warnings = await settle().catch(() => []);
      retry = undefined;
      if (!given.history.owes() && !mayHaveLeftOvers) untold = [...untold, ...warnings];
      tryAgainLater();
    }, betweenTries);
    retry.unref();
  }
  const saveFirst = (work: () => Promise<Reply>): Promise<Reply> =>
    inTurn(async () => {
      const unsaved = await saveAll();
      const told = untold;
      untold = [];
      const reply = await work();
      tryAgainLater();
      return { ...reply, warnings: [...told, ...reply.warnings, ...unsaved] };
    });
  return {
    open: (session, command) => saveFirst(() => openStep(parts, session, { kind: "open", ...command })),
    complete: (session, request, ask) => completeStep(parts, saveFirst, session, request, ask),
    back: (session, command) =>
      saveFirst(async () => describe(parts, await transact(parts, session, { kind: "back", ...command }))),
    standing: () => inTurn(() => standing(parts)),
    events: () => inTurn(() => parts.history.events()),
    seen: () => inTurn(async () => (await parts.history.look()).seen),
    views: () => inTurn(() => parts.history.views()),
    settle,
  };
}
