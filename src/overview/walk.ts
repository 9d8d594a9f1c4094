import type { CheckResult } from "../evidence/check.ts";
import type { Gap } from "../evidence/gate.ts";
import { mergeHandedIn } from "../workflow/desk.ts";
import type { Event, HandedIn, StepRef, Violation, Word } from "../workflow/events.ts";
import { isByGate, lackedIn, withResult } from "../workflow/replay-refusal.ts";

/** One thing that was handed in towards completing a step, with what became of it. */
export type WalkedHandIn = Pick<HandedIn, "outputs" | "evidence" | "content"> & {
  /** The how-manieth of its attempt. */
  readonly number: number;
  readonly at: string;
  /** The program that it came through. */
  readonly client?: string;
  /** `replaced`: something else was handed in while it waited. */
  readonly outcome: "checking" | "waits" | "refused" | "declined" | "replaced" | "completed";
  /** When that became of it. */
  readonly endedAt?: string;
  /** Of a refusal: its code, and what was wanting. */
  readonly code?: string;
  readonly missing?: readonly Gap[];
  readonly lacked?: readonly string[];
  readonly violations?: readonly Violation[];
  /** The same was wanting as at the hand-in before. */
  readonly sameGaps?: true;
  /** Why a person said no. */
  readonly reason?: string;
  /** What the checks had come to by then, the newest of each. */
  readonly checks?: readonly CheckResult[];
  readonly digest?: string;
  readonly judgedBy?: string;
};

/** A time in which a person was waited for; open where it still goes on. */
export type Wait = { readonly from: string; readonly to?: string };

/** One attempt at a step, from its opening to its end. */
export type WalkedAttempt = StepRef & {
  readonly startedAt: string;
  readonly endedAt?: string;
  /** `left`: another attempt was begun in its place; `superseded`: it was completed, and no longer counts. */
  readonly state: "open" | "completed" | "left" | "superseded";
  /** The program that it was opened with. */
  readonly client?: string;
  readonly handIns: readonly WalkedHandIn[];
  readonly waits: readonly Wait[];
  readonly word?: Word;
  readonly judgedBy?: string;
};

/** Follows one history: fed with its events in order, it tells every attempt with its hand-ins and waits, oldest first. */
export type Walker = {
  feed(event: Event): void;
  attempts(): readonly WalkedAttempt[];
  /** The open attempt at a step. */
  open(step: { readonly workflow: string; readonly step: string }): WalkedAttempt | undefined;
};

/** Begins to follow a history. `onEnd` hears of every attempt that has ended; who needs no more of them has none kept. */
export function walker(onEnd: (attempt: WalkedAttempt) => void = () => undefined, keepsEnded = true): Walker {
  const open = new Map<string, Draft>();
  const ended: Draft[] = [];
  const end = (attempt: Draft, state: WalkedAttempt["state"], at: string): void => {
    open.delete(stepKey(attempt));
    Object.assign(attempt, { state, endedAt: at, waits: endWait(attempt.waits, at) });
    onEnd(attempt);
    if (keepsEnded) ended.push(attempt);
  };
  const supersede = (workflow: string, steps: readonly string[], at: string): void => {
    for (const one of [...open.values()])
      if (one.workflow === workflow && steps.includes(one.step)) end(one, "left", at);
    for (const one of ended)
      if (one.workflow === workflow && steps.includes(one.step) && one.state === "completed") one.state = "superseded";
  };
  return {
    open: (step) => open.get(stepKey(step)),
    attempts: () => [...ended, ...open.values()].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1)),
    feed(event) {
      switch (event.type) {
        case "started": {
          supersede(event.workflow, [event.step, ...(event.supersedes ?? [])], event.at);
          open.set(stepKey(event), begun(event));
          break;
        }
        case "went_back":
          supersede(event.workflow, [event.step, ...event.supersedes], event.at);
          break;
        case "began_anew":
          for (const one of [...open.values()]) end(one, "left", event.at);
          for (const one of ended) if (one.state === "completed") one.state = "superseded";
          break;
        case "handed_in":
        case "checked":
        case "refused":
        case "declined":
        case "completed": {
          const attempt = open.get(stepKey(event));
          if (attempt === undefined || (event.attempt ?? attempt.attempt) !== attempt.attempt) break;
          judge(attempt, event);
          if (event.type === "completed") {
            Object.assign(attempt, { word: event.word, judgedBy: event.judgedBy ?? attempt.judgedBy });
            end(attempt, "completed", event.at);
          }
          break;
        }
        default:
          break;
      }
    },
  };
}

/** Every attempt of a history. */
export function walkOf(events: Iterable<Event>): readonly WalkedAttempt[] {
  const follower = walker();
  for (const event of events) follower.feed(event);
  return follower.attempts();
}

type Draft = { -readonly [Part in keyof WalkedAttempt]: WalkedAttempt[Part] } & {
  handIns: readonly WalkedHandIn[];
  waits: readonly Wait[];
  /** What is handed in so far, and what the checks have come to. */
  readonly so: { handed: HandedIn; checks: readonly CheckResult[] };
};

type Judging = Event & { type: "handed_in" | "checked" | "refused" | "declined" | "completed" };

function begun({ workflow, pass, step, attempt, at, client, judgedBy }: Event & { type: "started" }): Draft {
  return {
    ...{ workflow, pass, step, attempt, startedAt: at, state: "open", handIns: [], waits: [] },
    ...(client === undefined ? {} : { client }),
    ...(judgedBy === undefined ? {} : { judgedBy }),
    so: { handed: {}, checks: [] },
  };
}

function judge(attempt: Draft, event: Judging): void {
  const { so } = attempt;
  switch (event.type) {
    case "checked": {
      so.checks = withResult(so.checks, event.result);
      const last = attempt.handIns.at(-1);
      if (last?.outcome === "checking" || last?.outcome === "waits")
        attempt.handIns = [...attempt.handIns.slice(0, -1), { ...last, checks: so.checks }];
      return;
    }
    case "handed_in": {
      so.handed = mergeHandedIn(so.handed, event);
      const { digest } = event;
      const before = attempt.handIns.at(-1);
      if (before?.outcome === "waits" && before.digest === digest) return;
      put(attempt, event, digest === undefined ? "checking" : "waits", digest === undefined ? {} : { digest });
      if (digest !== undefined) attempt.waits = [...endWait(attempt.waits, event.at), { from: event.at }];
      return;
    }
    case "refused": {
      if (!isByGate(event.code)) return;
      const failed = so.checks.filter(({ status }) => status === "failed");
      const lacked = lackedIn(event, failed);
      const before = attempt.handIns.findLast(({ outcome }) => outcome !== "checking");
      const isSame = before?.outcome === "refused" && lacked.length > 0 && String(lacked) === String(before.lacked);
      const { code, missing, violations, evidence } = event;
      attempt.waits = endWait(attempt.waits, event.at);
      put(attempt, event, "refused", {
        code,
        lacked,
        ...(evidence === undefined ? {} : { evidence }),
        ...(missing === undefined ? {} : { missing }),
        ...(violations === undefined ? {} : { violations }),
        ...(isSame ? { sameGaps: true } : {}),
      });
      so.checks = so.checks.filter(({ status }) => status === "passed");
      return;
    }
    case "declined":
      attempt.waits = endWait(attempt.waits, event.at);
      put(attempt, event, "declined", event.reason === undefined ? {} : { reason: event.reason });
      return;
    case "completed":
      so.handed = mergeHandedIn(so.handed, withoutFound(event, so.checks));
      attempt.waits = endWait(attempt.waits, event.at);
      put(attempt, event, "completed", event.digest === undefined ? {} : { digest: event.digest });
  }
}

/** What was handed in with a completion: its evidence has what checks found, and here only what was claimed of that. */
function withoutFound(event: Judging & { type: "completed" }, checks: readonly CheckResult[]): HandedIn {
  const { evidence, claimed = [] } = event;
  if (evidence === undefined) return event;
  const found = new Set(checks.flatMap(({ found: own = {} }) => Object.keys(own)));
  const kept = Object.entries(evidence).filter(([field]) => !found.has(field) || claimed.includes(field));
  return { ...event, evidence: Object.fromEntries(kept) };
}

/** Says what became of a hand-in: of the one that was not settled yet, else of a new one. */
function put(attempt: Draft, event: Judging, outcome: WalkedHandIn["outcome"], more: Partial<WalkedHandIn>): void {
  const { so, handIns } = attempt;
  const { outputs, evidence, content } = so.handed;
  const last = handIns.at(-1);
  const isOpen = last?.outcome === "checking" || last?.outcome === "waits";
  const isSameOne = isOpen && continues(last, outcome, more);
  const earlier = isSameOne ? handIns.slice(0, -1) : isOpen ? replaced(handIns, event.at) : handIns;
  const isEnd = outcome !== "checking" && outcome !== "waits";
  const first = isSameOne ? last : undefined;
  const client = first?.client ?? event.client;
  const judged = "judgedBy" in event ? event.judgedBy : undefined;
  const judgedBy = judged ?? first?.judgedBy;
  attempt.handIns = [
    ...earlier,
    {
      ...{ number: earlier.length + 1, at: first?.at ?? event.at, outcome },
      ...(client === undefined ? {} : { client }),
      ...(outputs === undefined ? {} : { outputs }),
      ...(evidence === undefined ? {} : { evidence }),
      ...(content === undefined ? {} : { content }),
      ...(so.checks.length === 0 ? {} : { checks: so.checks }),
      ...(judgedBy === undefined ? {} : { judgedBy }),
      ...(first?.digest === undefined ? {} : { digest: first.digest }),
      ...(isEnd ? { endedAt: event.at } : {}),
      ...more,
    },
  ];
}

/** Whether an outcome is that of the hand-in that was not settled yet: what only another evidence explains is another's. */
function continues(last: WalkedHandIn, outcome: WalkedHandIn["outcome"], { digest }: Partial<WalkedHandIn>): boolean {
  if (last.outcome === "checking") return true;
  if (outcome === "declined") return true;
  return outcome === "completed" && (digest === undefined || last.digest === undefined || digest === last.digest);
}

function replaced(handIns: readonly WalkedHandIn[], at: string): readonly WalkedHandIn[] {
  const last = handIns.at(-1);
  return last === undefined ? [] : [...handIns.slice(0, -1), { ...last, outcome: "replaced", endedAt: at }];
}

function endWait(waits: readonly Wait[], at: string): readonly Wait[] {
  const last = waits.at(-1);
  return last === undefined || last.to !== undefined ? waits : [...waits.slice(0, -1), { ...last, to: at }];
}

/** An attempt is known by its step: at most one of it is open in a history. */
function stepKey({ workflow, step }: { readonly workflow: string; readonly step: string }): string {
  return JSON.stringify([workflow, step]);
}
