import type { CheckResult } from "../evidence/check.ts";
import type { Gap } from "../evidence/gate.ts";
import { mergeHandedIn } from "../workflow/desk.ts";
import type { Event, HandedIn, Violation } from "../workflow/events.ts";
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

/** What is handed in at an attempt, as it is added up. */
export type HandInsSoFar = {
  readonly handIns: WalkedHandIn[];
  readonly waits: Wait[];
  /** What is handed in so far, and what the checks have come to. */
  readonly so: { handed: HandedIn; checks: readonly CheckResult[] };
};

/** An event that says something of what is handed in. */
export type Judging = Event & { type: "handed_in" | "checked" | "refused" | "declined" | "completed" };

/** Adds what an event says of what is handed in. */
export function judge(attempt: HandInsSoFar, event: Judging): void {
  const { so, handIns, waits } = attempt;
  switch (event.type) {
    case "checked": {
      so.checks = withResult(so.checks, event.result);
      const last = handIns.at(-1);
      if (last?.outcome === "checking" || last?.outcome === "waits")
        handIns[handIns.length - 1] = { ...last, checks: so.checks };
      return;
    }
    case "handed_in": {
      so.handed = mergeHandedIn(so.handed, event);
      const { digest } = event;
      const before = handIns.at(-1);
      if (before?.outcome === "waits" && before.digest === digest) return;
      put(attempt, event, digest === undefined ? "checking" : "waits", digest === undefined ? {} : { digest });
      if (digest === undefined) return;
      endWait(waits, event.at);
      waits.push({ from: event.at });
      return;
    }
    case "refused": {
      if (!isByGate(event.code)) return;
      const failed = so.checks.filter(({ status }) => status === "failed");
      const lacked = lackedIn(event, failed);
      const before = handIns.findLast(({ outcome }) => outcome !== "checking");
      const isSame = before?.outcome === "refused" && lacked.length > 0 && String(lacked) === String(before.lacked);
      const { code, missing, violations, evidence } = event;
      endWait(waits, event.at);
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
      endWait(waits, event.at);
      put(attempt, event, "declined", event.reason === undefined ? {} : { reason: event.reason });
      return;
    case "completed":
      so.handed = mergeHandedIn(so.handed, withoutFound(event, so.checks));
      endWait(waits, event.at);
      put(attempt, event, "completed", event.digest === undefined ? {} : { digest: event.digest });
  }
}

/** Nobody is waited for any longer. */
export function endWait(waits: Wait[], at: string): void {
  const last = waits.at(-1);
  if (last !== undefined && last.to === undefined) waits[waits.length - 1] = { ...last, to: at };
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
function put(
  attempt: HandInsSoFar,
  event: Judging,
  outcome: WalkedHandIn["outcome"],
  more: Partial<WalkedHandIn>,
): void {
  const { so, handIns } = attempt;
  const { outputs, evidence, content } = so.handed;
  const last = handIns.at(-1);
  const isOpen = last?.outcome === "checking" || last?.outcome === "waits";
  const isSameOne = isOpen && continues(last, outcome, more);
  if (isSameOne) handIns.pop();
  else if (isOpen) handIns[handIns.length - 1] = { ...last, outcome: "replaced", endedAt: event.at };
  const isEnd = outcome !== "checking" && outcome !== "waits";
  const first = isSameOne ? last : undefined;
  const client = first?.client ?? event.client;
  const judged = "judgedBy" in event ? event.judgedBy : undefined;
  const judgedBy = judged ?? first?.judgedBy;
  handIns.push({
    ...{ number: handIns.length + 1, at: first?.at ?? event.at, outcome },
    ...(client === undefined ? {} : { client }),
    ...(outputs === undefined ? {} : { outputs }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(content === undefined ? {} : { content }),
    ...(so.checks.length === 0 ? {} : { checks: so.checks }),
    ...(judgedBy === undefined ? {} : { judgedBy }),
    ...(first?.digest === undefined ? {} : { digest: first.digest }),
    ...(isEnd ? { endedAt: event.at } : {}),
    ...more,
  });
}

/** Whether an outcome is that of the hand-in that was not settled yet: what only another evidence explains is another's. */
function continues(last: WalkedHandIn, outcome: WalkedHandIn["outcome"], { digest }: Partial<WalkedHandIn>): boolean {
  if (last.outcome === "checking") return true;
  if (outcome === "declined") return true;
  return outcome === "completed" && (digest === undefined || last.digest === undefined || digest === last.digest);
}
