import type { Check, CheckResult } from "../gates/check.ts";
import { foundFieldsOf, withFoundValues } from "../gates/check-verdict.ts";
import type { JsonObject } from "../kit/json.ts";
import { type CheckDifferences, type CheckNow, compareCheck, type RecheckedCheck } from "./compare-check.ts";
import type { ComparedStep } from "./compare-walk.ts";
import type { JudgedStep } from "./judged-step.ts";
import { describeRecordedCheck, describeRecordedRules, rejudgeEvidence } from "./proofs.ts";
import { type RulesCheck, rulesOf } from "./recheck-rules.ts";
import type { JudgedWalk } from "./walk-sources.ts";

/** A check that can be run again: one of the gate's checks, or its rules. */
export type Rechecked = Check | RulesCheck;

/** Runs a check again on the current files, for a step of a walk. */
export type CheckAgain = (walk: JudgedWalk, step: JudgedStep, check: Rechecked) => Promise<CheckNow>;

/** Reports progress: checks done, total, and the next check's name. */
export type OnCheck = (done: number, total: number, name: string) => void;

type Task = { readonly walk: JudgedWalk; readonly step: JudgedStep; readonly check: Rechecked };

/** Runs every check of the walks again and compares each with the record. */
export async function recheckWalks(
  walks: readonly JudgedWalk[],
  again: CheckAgain,
  onCheck: OnCheck = () => {},
): Promise<readonly JudgedWalk[]> {
  const tasks = walks.flatMap((walk) =>
    walk.judged.flatMap((step) => checksToRun(walk, step).map(({ check }): Task => ({ walk, step, check }))),
  );
  const found = new Map<JudgedStep, CheckNow[]>();
  const inTurn = tasks.toSorted((a, b) => checkOrder(a.check) - checkOrder(b.check));
  for (const [done, { walk, step, check }] of inTurn.entries()) {
    onCheck(done, tasks.length, check.name);
    const one = await again(walk, step, check);
    found.set(step, [...(found.get(step) ?? []), one]);
  }
  onCheck(tasks.length, tasks.length, "");
  return walks.map((walk) => compareWalk(walk, (step) => found.get(step) ?? []));
}

/** Every check of a step that is run again, with its recorded result. */
function checksToRun(
  { stream }: JudgedWalk,
  step: JudgedStep,
): readonly { readonly check: Rechecked; readonly recorded: CheckResult | undefined }[] {
  const rules = rulesOf(stream.stream, step);
  const checks = (step.gate.checks ?? []).map((check) => ({ check, recorded: findByName(step.recorded, check.name) }));
  return rules === undefined ? checks : [rules, ...checks];
}

/** Commands leave reports behind, so git facts are checked before them. */
function checkOrder({ kind }: Rechecked): number {
  return ["git", "rules", "file", "command"].indexOf(kind);
}

/** The checks of a step that ran again, and the earlier result of its rules. */
type RecheckedStep = { readonly checks: readonly RecheckedCheck[]; readonly ruled?: string };

function compareWalk(walk: JudgedWalk, foundAt: (step: JudgedStep) => readonly CheckNow[]): JudgedWalk {
  const before = new Map<number, JsonObject>();
  const compared = new Map(walk.judged.map((step) => [step.step, compareStep(walk, step, foundAt(step), before)]));
  const all = [...compared.values()];
  return {
    ...walk,
    problems: [...walk.problems, ...all.flatMap(({ problems }) => problems)],
    notes: [...walk.notes, ...all.flatMap(({ notes }) => notes)],
    steps: walk.steps.map((step) => ({ ...step, ...proofsNow(step, compared.get(step.step)) })),
  };
}

/** `before` holds the evidence of earlier steps with the values found now; this step's evidence is added. */
function compareStep(
  walk: JudgedWalk,
  judged: JudgedStep,
  found: readonly CheckNow[],
  before: Map<number, JsonObject>,
): CheckDifferences & RecheckedStep {
  const { step, called, gate, completed } = judged;
  const checks = checksToRun(walk, judged).flatMap(({ check, recorded: then }) => {
    const now = findByName(found, check.name);
    return now === undefined ? [] : [{ now, then, ...compareCheck(check, then, now) }];
  });
  const results = found.flatMap((one) => (one.status === "passed" ? [one] : []));
  const evidence = withFoundValues(completed.evidence ?? {}, foundFieldsOf(gate.checks ?? [], results));
  const gaps = results.length === 0 ? [] : rejudgeEvidence(gate, evidence, before, judged.observed).gaps;
  before.set(Number(step), evidence);
  const said = (texts: readonly string[]): readonly string[] => texts.map((text) => `${called}: ${text}`);
  return {
    problems: said([
      ...checks.flatMap(({ problems }) => problems),
      ...(gaps.length === 0 ? [] : [`the current values do not pass its gate: ${gaps.join("; ")}`]),
    ]),
    notes: said(checks.flatMap(({ notes }) => notes)),
    checks: checks.map(({ now, then, problems }) => ({
      name: now.name,
      agrees: problems.length === 0 && now.status === "passed",
      recorded: then ?? null,
      found: now,
    })),
    ...(completed.violations === undefined ? {} : { ruled: describeRecordedRules(completed.violations) }),
  };
}

function findByName<T extends { readonly name: string }>(all: readonly T[], name: string): T | undefined {
  return all.find((one) => one.name === name);
}

function proofsNow(
  { proved, claimed }: ComparedStep,
  { checks, ruled }: RecheckedStep = { checks: [] },
): Partial<ComparedStep> {
  if (checks.length === 0) return {};
  const isRuled = checks.some(({ name }) => name === "rules");
  const again = checks.filter(({ agrees }) => agrees).map(({ name, found }) => `${name}, rechecked: ${found.summary}`);
  const then = checks.flatMap(({ name, agrees, recorded }) =>
    agrees || recorded === null ? [] : [`${name}, on record: ${recorded.summary}`],
  );
  // A check that ran again counts by its new result only.
  const before = new Set(
    checks.flatMap(({ recorded }) => (recorded === null ? [] : [describeRecordedCheck(recorded)])),
  );
  const others = proved.filter((text) => !before.has(text));
  const taken = claimed.filter((text) => !isRuled || text !== ruled);
  return { proved: [...again, ...others], claimed: [...taken, ...then], checks };
}
