import type { Check } from "../evidence/check.ts";
import { foundBy, withFound } from "../evidence/check-verdict.ts";
import { type Earlier, listGaps } from "../evidence/gate.ts";
import type { JsonObject } from "../evidence/json.ts";
import { type CheckedAgain, type CheckFound, compareCheck, type Differences } from "./compare-check.ts";
import type { HeldStep, JudgedStep } from "./hold-walk.ts";
import type { JudgedWalk } from "./required.ts";
import { checkedThen } from "./rests-on.ts";

/** Looks at a check on the files as they are, for a step of a walk. */
export type CheckAgain = (walk: JudgedWalk, step: JudgedStep, check: Check) => Promise<CheckFound>;

/** Hears which check comes next, and how many there are. */
export type OnCheck = (done: number, total: number, name: string) => void;

type Task = { readonly walk: JudgedWalk; readonly step: JudgedStep; readonly check: Check };

/** Looks at every check of walks again and holds each against what is on record. */
export async function recheckWalks(
  walks: readonly JudgedWalk[],
  again: CheckAgain,
  onCheck: OnCheck = () => {},
): Promise<readonly JudgedWalk[]> {
  const tasks = walks.flatMap((walk) =>
    walk.judged.flatMap((step) => (step.gate.checks ?? []).map((check): Task => ({ walk, step, check }))),
  );
  const found = new Map<Check, Map<JudgedStep, CheckFound>>();
  const inTurn = tasks.toSorted((a, b) => turnOf(a.check) - turnOf(b.check));
  for (const [done, { walk, step, check }] of inTurn.entries()) {
    onCheck(done, tasks.length, check.name);
    const one = await again(walk, step, check);
    found.set(check, (found.get(check) ?? new Map()).set(step, one));
  }
  onCheck(tasks.length, tasks.length, "");
  const foundAt = (step: JudgedStep): readonly CheckFound[] =>
    (step.gate.checks ?? []).flatMap((check) => found.get(check)?.get(step) ?? []);
  return walks.map((walk) => compareWalk(walk, foundAt));
}

/** Commands leave reports behind: what the repository is like is looked at before them. */
function turnOf({ kind }: Check): number {
  return ["git", "file", "command"].indexOf(kind);
}

function compareWalk(walk: JudgedWalk, foundAt: (step: JudgedStep) => readonly CheckFound[]): JudgedWalk {
  const before = new Map<number, JsonObject>();
  const compared = new Map(walk.judged.map((step) => [step.step, compareStep(step, foundAt(step), before)]));
  const all = [...compared.values()];
  return {
    ...walk,
    problems: [...walk.problems, ...all.flatMap(({ problems }) => problems)],
    notes: [...walk.notes, ...all.flatMap(({ notes }) => notes)],
    steps: walk.steps.map((step) => ({ ...step, ...restsNow(step, compared.get(step.step)?.checks ?? []) })),
  };
}

/** `before`: the evidence of the steps before it with what is found now; that of this step is added. */
function compareStep(
  { step, called, gate, completed, recorded }: JudgedStep,
  found: readonly CheckFound[],
  before: Map<number, JsonObject>,
): Differences & { readonly checks: readonly CheckedAgain[] } {
  const checks = (gate.checks ?? []).flatMap((check) => {
    const [now, then] = [nameIn(found, check.name), nameIn(recorded, check.name)];
    return now === undefined ? [] : [{ now, then, ...compareCheck(check, then, now) }];
  });
  const results = found.flatMap((one) => (one.status === "passed" ? [one] : []));
  const evidence = withFound(completed.evidence ?? {}, foundBy(gate.checks ?? [], results));
  const gaps = results.length === 0 ? [] : gapsNow(gate, evidence, before);
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
  };
}

function nameIn<T extends { readonly name: string }>(all: readonly T[], name: string): T | undefined {
  return all.find((one) => one.name === name);
}

/** What took a look outside was seen then. */
function gapsNow(gate: JudgedStep["gate"], evidence: JsonObject, earlier: Earlier): readonly string[] {
  return listGaps(gate, evidence, new Map(), earlier)
    .filter(({ kind }) => kind !== "validation_error")
    .map(({ text }) => text);
}

function restsNow({ proved, claimed }: HeldStep, checks: readonly CheckedAgain[]): Partial<HeldStep> {
  if (checks.length === 0) return {};
  const again = checks
    .filter(({ agrees }) => agrees)
    .map(({ name, found }) => `${name}, looked at again: ${found.summary}`);
  const then = checks.flatMap(({ name, agrees, recorded }) =>
    agrees || recorded === null ? [] : [`${name}, on record: ${recorded.summary}`],
  );
  // What was looked at again is proved by that, or not at all.
  const before = new Set(checks.flatMap(({ recorded }) => (recorded === null ? [] : [checkedThen(recorded)])));
  const others = proved.filter((text) => !before.has(text));
  return { proved: [...again, ...others], claimed: [...claimed, ...then], checks };
}
