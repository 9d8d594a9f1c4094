import type { CheckResult } from "../gates/check.ts";
import { defined } from "../kit/defined.ts";
import { digestOf } from "../kit/json.ts";
import type { Event } from "./events.ts";
import { refusalEventCode } from "./refusal.ts";
import type { GateRefusals, StepState } from "./stream-snapshot.ts";

/** The state of an open step after a refused try to complete it. */
export function withRefusal(state: StepState, event: Event & { type: "refused" }): StepState {
  const { waiting: _, wanted: ___, checks = [], failedChecks: earlier, ...rest } = state;
  // earlier evidence no longer counts once less is proved
  const { evidence: __, ...others } = state.submitted;
  const isDisproved = event.evidence !== undefined && event.code === refusalEventCode("gaps");
  // the caller knows about a failed check: the next try runs it again
  const passed = checks.filter(({ status }) => status === "passed");
  const failed = checks.filter(({ status }) => status === "failed");
  const failedSoFar = failed.reduce(withResult, earlier ?? []);
  return {
    ...rest,
    ...(passed.length === 0 ? {} : { checks: passed }),
    ...(failedSoFar.length === 0 ? {} : { failedChecks: failedSoFar }),
    submitted: isDisproved ? others : state.submitted,
    refusedCode: event.code,
    ...(isGateRefusal(event.code) ? { gateRefusals: countRefusal(state.gateRefusals, event, failed) } : {}),
  };
}

/** The results of checks, the newest of each. */
export function withResult(checks: readonly CheckResult[] = [], result: CheckResult): readonly CheckResult[] {
  return [...checks.filter(({ name }) => name !== result.name), result].slice(-maxChecks);
}

/** Adds a check that a runner is asked for. */
export function withWanted(
  { wanted = [] }: StepState,
  { at: since, check, definition, digest, commit }: Event & { type: "check_wanted" },
): Pick<StepState, "wanted"> {
  const others = wanted.filter((one) => one.check !== check);
  return { wanted: [...others, { check, definition, digest, ...defined({ commit }), since }].slice(-maxChecks) };
}

/** The state of a step without one of the checks that runners are asked for. */
export function withoutWanted({ wanted = [], ...state }: StepState, check: string): StepState {
  const left = wanted.filter((one) => one.check !== check);
  return left.length === 0 ? state : { ...state, wanted: left };
}

/** No gate has more. */
const maxChecks = 1000;

/** Tells if a step was refused twice by its gate and has not passed since, so it needs attention. */
export function isStuck({ status, gateRefusals, waiting }: StepState): boolean {
  return status === "started" && waiting === undefined && (gateRefusals?.inARow ?? 0) >= 2;
}

/** Tells if a recorded code is a gate's refusal of a submission, not of a call out of turn. */
export function isGateRefusal(code: string): boolean {
  return gateCodes.has(code);
}

const gateCodes: ReadonlySet<string> = new Set(
  (["gaps", "violations", "checks", "untrusted", "gate_closed"] as const).map(refusalEventCode),
);

/** The names of what a gate found missing: fields, rules and checks; whole sentences in old records. */
export function missingIn(
  { missing, gaps = [], violations = [] }: Event & { type: "refused" },
  failed: readonly CheckResult[],
): readonly string[] {
  const fields = missing?.map(({ field }) => field) ?? gaps;
  const rules = violations.filter(({ severity }) => severity === "error").map(({ rule }) => rule);
  return [...new Set([...fields, ...rules, ...failed.map(({ name }) => name)])].slice(0, maxNamed);
}

/** At most this many are named; a gate may require more. */
const maxNamed = 50;

function countRefusal(
  before: GateRefusals | undefined,
  event: Event & { type: "refused" },
  failed: readonly CheckResult[],
): GateRefusals {
  const lacked = missingIn(event, failed);
  const reasons = reasonsOf(event, failed);
  const isSame = (before?.inARow ?? 0) > 0 && lacked.length > 0 && reasons === before?.reasons;
  const { times = 0, inARow = 0 } = before ?? {};
  return { times: times + 1, inARow: inARow + 1, missing: lacked, reasons, ...(isSame ? { same: true } : {}) };
}

/** Identifies the reasons of a refusal: the same field can be missing first and of a wrong type next. */
function reasonsOf(
  { missing, gaps = [], violations = [] }: Event & { type: "refused" },
  failed: readonly CheckResult[],
): string {
  const fields = missing?.map(({ field, kind, text }) => [field, kind, text]) ?? gaps.map((gap) => [gap]);
  const rules = violations.map(({ rule, file, line = 0, message }) => [rule, file, line, message]);
  return digestOf([fields, rules, failed.map(({ name, summary }) => [name, summary])]);
}
