import { type ApprovalRule, isBelow } from "../gates/approval-rule.ts";
import type { Earlier, Gate, Observations } from "../gates/gate.ts";
import { readJudgedBy } from "../gates/judged-by.ts";
import { isFullyVerified } from "../gates/proved.ts";
import { type AddedCheck, rulesMeaning } from "../gates/rules-meaning.ts";
import { withoutWaived } from "../gates/waiver.ts";
import { countText } from "../kit/count-text.ts";
import type { Event } from "../workflow/events.ts";
import { factsOf, judge } from "../workflow/position.ts";
import type { StepState, StreamSnapshot } from "../workflow/stream-snapshot.ts";
import { waivedBy } from "../workflow/waivers.ts";
import { addedChecksSince, describeAddedChecks } from "./added-checks.ts";
import type { DefinedStep, ExpectedWalk } from "./expected-walk.ts";
import { type PassedAgain, rejudgeEvidence, seenFields } from "./proofs.ts";
import { checksWithOtherSchemas, recordContradictions } from "./recorded-checks.ts";
import { selfConsistency } from "./self-consistency.ts";

/** A version of the definitions that a walk can be compared with. */
export type UsableWalk = Exclude<ExpectedWalk, { problem: string }>;

/** A recorded completion. */
export type Completed = Event & { readonly type: "completed" };

/** Checks that a step was judged by what some version of the definitions has for it. */
export async function judgedAsDefined(
  name: string,
  step: string,
  completed: Completed,
  { state, usable, added, earlier, before, observe }: StepEvidence,
): Promise<Judgement> {
  const problem = (text: string): Judgement => ({ problems: [text], notes: [] });
  const by = readJudgedBy(completed.judgedBy);
  const theirs =
    usable.length === 1 ? "the definitions have" : `any of ${usable.length} versions of the definitions has`;
  if (by === undefined) return problem(`${name}: the record does not say what it was judged by`);
  if ("form" in by)
    return problem(`${name}: the form of its gate on record (${by.form}) is unknown to this version of Waymark`);
  const defined = usable.flatMap(({ steps }) => steps.filter((one) => one.name === step));
  const named = defined.filter(({ judgedBy }) => judgedBy.gate === by.gate);
  if (named.length === 0 && by.reader === undefined && defined.some(({ gate }) => gate?.isFromProse))
    return problem(`${name} was judged by the earlier reader of its document, which read its gate otherwise`);
  if (named.length === 0) return problem(`${name} was judged by a different gate than ${theirs}`);
  const others = named.map(({ gate }) => checksWithOtherSchemas(gate, state?.checks ?? []));
  const gates = named.filter((_, at) => others[at]?.length === 0);
  if (gates.length === 0)
    return problem(`${name}: ${others[0]?.join(", ")} ran with a different schema than ${theirs}`);
  const isWordless = completed.word.level === "auto" && !gates.some((one) => isUnasked(one, completed, before));
  if (gates.every(({ needsPerson }) => needsPerson === true) && isWordless)
    return problem(`${name} has no approval, which its gate requires`);
  const lacking =
    completed.word.level === "auto"
      ? []
      : gates.map(({ requiredApproval }) => approvalLacks(completed.word, requiredApproval));
  if (lacking.length > 0 && lacking.every((one) => one !== undefined)) return problem(`${name}: ${lacking[0]}`);
  const unwaivable = waiverProblems(completed, before, gates);
  if (unwaivable.length > 0) return { problems: unwaivable.map((text) => `${name}: ${text}`), notes: [] };
  const { waived = [] } = completed;
  const gate = gates[0]?.gate && withoutWaived(gates[0].gate, waived);
  const observed: Observations = gate === undefined ? new Map() : await observe(gate, completed);
  const { gaps, unobservable } = rejudgeEvidence(gate, completed.evidence ?? {}, earlier, observed);
  if (gaps.length > 0) return problem(`${name}: its evidence does not pass its gate: ${gaps.join("; ")}`);
  const checks = state?.checks ?? [];
  const otherwise = recordContradictions(gate, completed.evidence ?? {}, checks);
  // A digest covers what was found: if that differs from the record, the digest adds nothing.
  const untrue = otherwise.length > 0 ? otherwise : selfConsistency(gate, completed, checks, before);
  if (untrue.length > 0) return { problems: untrue.map((text) => `${name}: ${text}`), notes: [], gate };
  const found = { violations: completed.violations ?? [], rules: by.rules, checks, waived };
  if (gates.every(({ needsPerson }) => needsPerson !== false) && isWordless && !isFullyVerified(gate, found))
    return problem(`${name} has no approval, which its gate requires unless every check passed`);
  const ruled = (without: readonly AddedCheck[]): boolean =>
    gates.some(({ rules }) => (rules === undefined ? undefined : rulesMeaning(rules, without)) === by.rules);
  const { requirements = [], comparisons = [] } = gate ?? {};
  const isAsking = requirements.length + comparisons.length > 0;
  const judged = { gate, observed, ...(isAsking ? { again: { unobservable, seen: seenFields(gate, observed) } } : {}) };
  if (ruled([])) return { problems: [], notes: [], ...judged };
  const since = addedChecksSince(completed.at, added);
  const from = since.findIndex((_, index) => ruled(since.slice(index)));
  if (from === -1) return problem(`${name} was judged by different rules than ${theirs}`);
  return {
    ...judged,
    problems: [],
    notes: [
      `${name}: ${countText(since.length - from, "recorded correction was", "recorded corrections were")} added to its rules since: ${describeAddedChecks(since.slice(from))}`,
    ],
  };
}

/** Tells if the condition of an approval was false on the evidence of a completion. */
function isUnasked(
  { approvalWhen }: DefinedStep,
  { workflow, evidence = {} }: Completed,
  before: StreamSnapshot | undefined,
): boolean {
  const run = before?.runs.get(workflow);
  if (approvalWhen === undefined || before === undefined || run === undefined) return false;
  return judge(approvalWhen, factsOf(run, before, evidence)).holds === false;
}

/** Finds what a completion counts as waived below the approval level that every gate of the step asks for. */
function waiverProblems(
  { workflow, step, waived = [] }: Completed,
  before: StreamSnapshot | undefined,
  gates: readonly { readonly requiredApproval: ApprovalRule }[],
): readonly string[] {
  const { waivers = [] } = before?.runs.get(workflow)?.steps.get(step) ?? {};
  const allowed = gates.map(
    ({ requiredApproval }) => new Set(waivedBy(requiredApproval, waivers).map(({ field }) => field)),
  );
  const low = waived.filter(({ field }) => !allowed.some((names) => names.has(field)));
  return low.map(({ field, by }) => `${field} was waived by ${by} without the approval that its gate requires`);
}

/** Finds what an approval lacks; its proof is verified with the history. */
function approvalLacks({ level, by = [] }: Completed["word"], asks: ApprovalRule): string | undefined {
  if (level === "auto") return "it has no approval";
  if (isBelow(level, asks.level)) return `its approval is ${level}, but its gate or the settings require ${asks.level}`;
  const names = new Set(by.map(({ name }) => name).filter((name) => asks.by?.includes(name) ?? true));
  const people = asks.by === undefined ? "people" : `of ${asks.by.join(", ")}`;
  const isLacking = (asks.by !== undefined || asks.count > 1) && names.size < asks.count;
  return isLacking ? `${names.size} ${people} approved it, but its gate requires ${asks.count}` : undefined;
}

/** The facts about a step for judging it again. */
export type StepEvidence = {
  readonly state: StepState | undefined;
  readonly completed: Completed | undefined;
  readonly earlier: Earlier;
  /** The state of the stream right before the completion. */
  readonly before: StreamSnapshot | undefined;
  readonly usable: readonly UsableWalk[];
  readonly added: readonly AddedCheck[];
  readonly observe: ObserveCompleted;
};

/** Observes again what a gate asks about the outside of a completion; leaves out what cannot be observed now. */
export type ObserveCompleted = (gate: Gate, completed: Completed) => Promise<Observations>;

/**
 * The verdict on a completion: problems and notes. `again`: its evidence passed its gate once more; `gate`: the one that judged it;
 * `observed`: the observations made for that.
 */
export type Judgement = {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly again?: PassedAgain;
  readonly observed?: Observations;
  readonly gate?: Gate | undefined;
};
