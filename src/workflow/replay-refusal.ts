import type { CheckResult } from "../evidence/check.ts";
import type { Refused, StepState } from "./desk.ts";
import type { Event } from "./events.ts";
import { recordedCode } from "./refusal.ts";

/** How an open step stands once a try to complete it was turned down. */
export function turnedDownAt(state: StepState, event: Event & { type: "refused" }): StepState {
  const { waiting: _, checks = [], failed: earlier, ...rest } = state;
  // What was proved before counts no longer once less is proved.
  const { evidence: __, ...others } = state.handed;
  const isDisproved = event.evidence !== undefined && event.code === recordedCode("gaps");
  // One that failed has been told of: the next try runs it again.
  const passed = checks.filter(({ status }) => status === "passed");
  const failed = checks.filter(({ status }) => status === "failed");
  const told = failed.reduce(withResult, earlier ?? []);
  return {
    ...rest,
    ...(passed.length === 0 ? {} : { checks: passed }),
    ...(told.length === 0 ? {} : { failed: told }),
    handed: isDisproved ? others : state.handed,
    turnedDown: event.code,
    ...(isByGate(event.code) ? { refused: again(state.refused, event, failed) } : {}),
  };
}

/** The results of checks, the newest of each. */
export function withResult(checks: readonly CheckResult[] = [], result: CheckResult): readonly CheckResult[] {
  return [...checks.filter(({ name }) => name !== result.name), result].slice(-mostChecks);
}

/** No gate has more. */
const mostChecks = 1000;

/** Refused twice at one gate, and not let through since: the work goes nowhere by itself. */
export function isStuck({ status, refused, waiting }: StepState): boolean {
  return status === "started" && waiting === undefined && (refused?.inARow ?? 0) >= 2;
}

/** Whether a "no" on record is a gate's to a hand-in, and not one to a call out of turn. */
export function isByGate(code: string): boolean {
  return gateCodes.has(code);
}

const gateCodes: ReadonlySet<string> = new Set(
  (["gaps", "violations", "checks", "untrusted", "gate_closed"] as const).map(recordedCode),
);

/** What a gate found wanting, by name: fields, rules, checks; in records of old, whole sentences. */
export function lackedIn(
  { missing, gaps = [], violations = [] }: Event & { type: "refused" },
  failed: readonly CheckResult[],
): readonly string[] {
  const fields = missing?.map(({ field }) => field) ?? gaps;
  const rules = violations.filter(({ severity }) => severity === "error").map(({ rule }) => rule);
  return [...new Set([...fields, ...rules, ...failed.map(({ name }) => name)])].slice(0, mostNamed);
}

/** So much is named; a gate may ask for more. */
const mostNamed = 50;

function again(
  before: Refused | undefined,
  event: Event & { type: "refused" },
  failed: readonly CheckResult[],
): Refused {
  const lacked = lackedIn(event, failed);
  const isSame = (before?.inARow ?? 0) > 0 && lacked.length > 0 && String(lacked) === String(before?.lacked);
  const { times = 0, inARow = 0 } = before ?? {};
  return { times: times + 1, inARow: inARow + 1, lacked, ...(isSame ? { same: true } : {}) };
}
