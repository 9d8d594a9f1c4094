import type { Check, CheckResult } from "../evidence/check.ts";
import { foundBy, withFound } from "../evidence/check-verdict.ts";
import type { JsonObject } from "../evidence/json.ts";
import { type CheckedAgain, type CheckFound, compareCheck, type Differences } from "./compare-check.ts";
import type { HeldStep, JudgedStep } from "./hold-walk.ts";
import type { JudgedWalk } from "./required.ts";
import { checkedThen, gapsAgain, ruledThen } from "./rests-on.ts";
import { type RulesCheck, rulesOf } from "./rules-again.ts";

/** What a step is looked at again for: the checks of its gate, and its rules where the gate asks for them. */
export type Rechecked = Check | RulesCheck;

/** Looks at a check on the files as they are, for a step of a walk. */
export type CheckAgain = (walk: JudgedWalk, step: JudgedStep, check: Rechecked) => Promise<CheckFound>;

/** Hears which check comes next, and how many there are. */
export type OnCheck = (done: number, total: number, name: string) => void;

type Task = { readonly walk: JudgedWalk; readonly step: JudgedStep; readonly check: Rechecked };

/** Looks at every check of walks again and holds each against what is on record. */
export async function recheckWalks(
  walks: readonly JudgedWalk[],
  again: CheckAgain,
  onCheck: OnCheck = () => {},
): Promise<readonly JudgedWalk[]> {
  const tasks = walks.flatMap((walk) =>
    walk.judged.flatMap((step) => asked(walk, step).map(({ check }): Task => ({ walk, step, check }))),
  );
  const found = new Map<JudgedStep, CheckFound[]>();
  const inTurn = tasks.toSorted((a, b) => turnOf(a.check) - turnOf(b.check));
  for (const [done, { walk, step, check }] of inTurn.entries()) {
    onCheck(done, tasks.length, check.name);
    const one = await again(walk, step, check);
    found.set(step, [...(found.get(step) ?? []), one]);
  }
  onCheck(tasks.length, tasks.length, "");
  return walks.map((walk) => compareWalk(walk, (step) => found.get(step) ?? []));
}

/** Everything that a step is looked at again for, with what is on record of it. */
function asked(
  { desk }: JudgedWalk,
  step: JudgedStep,
): readonly { readonly check: Rechecked; readonly recorded: CheckResult | undefined }[] {
  const rules = rulesOf(desk.desk, step);
  const checks = (step.gate.checks ?? []).map((check) => ({ check, recorded: nameIn(step.recorded, check.name) }));
  return rules === undefined ? checks : [rules, ...checks];
}

/** Commands leave reports behind: what the repository is like is looked at before them. */
function turnOf({ kind }: Rechecked): number {
  return ["git", "rules", "file", "command"].indexOf(kind);
}

/** What a step was looked at again for, and what was said of its rules before. */
type Again = { readonly checks: readonly CheckedAgain[]; readonly ruled?: string };

function compareWalk(walk: JudgedWalk, foundAt: (step: JudgedStep) => readonly CheckFound[]): JudgedWalk {
  const before = new Map<number, JsonObject>();
  const compared = new Map(walk.judged.map((step) => [step.step, compareStep(walk, step, foundAt(step), before)]));
  const all = [...compared.values()];
  return {
    ...walk,
    problems: [...walk.problems, ...all.flatMap(({ problems }) => problems)],
    notes: [...walk.notes, ...all.flatMap(({ notes }) => notes)],
    steps: walk.steps.map((step) => ({ ...step, ...restsNow(step, compared.get(step.step)) })),
  };
}

/** `before`: the evidence of the steps before it with what is found now; that of this step is added. */
function compareStep(
  walk: JudgedWalk,
  judged: JudgedStep,
  found: readonly CheckFound[],
  before: Map<number, JsonObject>,
): Differences & Again {
  const { step, called, gate, completed } = judged;
  const checks = asked(walk, judged).flatMap(({ check, recorded: then }) => {
    const now = nameIn(found, check.name);
    return now === undefined ? [] : [{ now, then, ...compareCheck(check, then, now) }];
  });
  const results = found.flatMap((one) => (one.status === "passed" ? [one] : []));
  const evidence = withFound(completed.evidence ?? {}, foundBy(gate.checks ?? [], results));
  const gaps = results.length === 0 ? [] : gapsAgain(gate, evidence, before, judged.observed).gaps;
  before.set(Number(step), evidence);
  const said = (texts: readonly string[]): readonly string[] => texts.map((text) => `${called}: ${text}`);
  return {
    problems: said([
      ...checks.flatMap(({ problems }) => problems),
      ...(gaps.length === 0 ? [] : [`what is found now does not pass its gate: ${gaps.join("; ")}`]),
    ]),
    notes: said(checks.flatMap(({ notes }) => notes)),
    checks: checks.map(({ now, then, problems }) => ({
      name: now.name,
      agrees: problems.length === 0 && now.status === "passed",
      recorded: then ?? null,
      found: now,
    })),
    ...(completed.violations === undefined ? {} : { ruled: ruledThen(completed.violations) }),
  };
}

function nameIn<T extends { readonly name: string }>(all: readonly T[], name: string): T | undefined {
  return all.find((one) => one.name === name);
}

function restsNow({ proved, claimed }: HeldStep, { checks, ruled }: Again = { checks: [] }): Partial<HeldStep> {
  if (checks.length === 0) return {};
  const isRuled = checks.some(({ name }) => name === "rules");
  const again = checks
    .filter(({ agrees }) => agrees)
    .map(({ name, found }) => `${name}, looked at again: ${found.summary}`);
  const then = checks.flatMap(({ name, agrees, recorded }) =>
    agrees || recorded === null ? [] : [`${name}, on record: ${recorded.summary}`],
  );
  // What was looked at again is proved by that, or not at all.
  const before = new Set(checks.flatMap(({ recorded }) => (recorded === null ? [] : [checkedThen(recorded)])));
  const others = proved.filter((text) => !before.has(text));
  const taken = claimed.filter((text) => !isRuled || text !== ruled);
  return { proved: [...again, ...others], claimed: [...taken, ...then], checks };
}
