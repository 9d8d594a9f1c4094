import { type Approval, isBelow } from "../evidence/approval.ts";
import type { Earlier, Gate, Observations } from "../evidence/gate.ts";
import { readJudgedBy } from "../evidence/judged-by.ts";
import { isProved } from "../evidence/proved.ts";
import { type AddedCheck, rulesMeaning } from "../evidence/rules-meaning.ts";
import type { Desk, StepState } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";
import { addedInWords, addedSince } from "./added-checks.ts";
import { againstItself } from "./against-itself.ts";
import { otherSchemas, recordedOtherwise } from "./checks-on-record.ts";
import { type Again, gapsAgain } from "./rests-on.ts";
import type { Yardstick } from "./yardstick.ts";

/** A version of the definitions that something can be held against. */
export type Usable = Exclude<Yardstick, { problem: string }>;

/** That a step counts as done, as it is on record. */
export type Completed = Event & { readonly type: "completed" };

/** Whether a step was judged by what some version of the definitions has for it. */
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
  if (by === undefined) return problem(`${name}: what it was judged by is not recorded`);
  if ("form" in by)
    return problem(
      `${name}: what it was judged by is recorded in a form (${by.form}) that this version of Waymark does not know`,
    );
  const defined = usable.flatMap(({ steps }) => steps.filter((one) => one.name === step));
  const named = defined.filter(({ judgedBy }) => judgedBy.gate === by.gate);
  if (named.length === 0) return problem(`${name} was judged by another gate than ${theirs}`);
  const others = named.map(({ gate }) => otherSchemas(gate, state?.checks ?? []));
  const gates = named.filter((_, at) => others[at]?.length === 0);
  if (gates.length === 0) return problem(`${name}: ${others[0]?.join(", ")} ran with another schema than ${theirs}`);
  const isWordless = completed.word.level === "auto";
  if (gates.every(({ needsPerson }) => needsPerson === true) && isWordless)
    return problem(`${name} has no person's word, which its gate demands`);
  const lacking = isWordless ? [] : gates.map(({ asks }) => wordLacks(completed.word, asks));
  if (lacking.length > 0 && lacking.every((one) => one !== undefined)) return problem(`${name}: ${lacking[0]}`);
  const gate = gates[0]?.gate;
  const observed: Observations = gate === undefined ? new Map() : await observe(gate, completed);
  const { gaps, untold } = gapsAgain(gate, completed.evidence ?? {}, earlier, observed);
  if (gaps.length > 0) return problem(`${name}: its evidence does not pass its gate, judged again: ${gaps.join("; ")}`);
  const checks = state?.checks ?? [];
  const otherwise = recordedOtherwise(gate, completed.evidence ?? {}, checks);
  // A digest is of what was found: where that is not what is on record, it says nothing more.
  const untrue = otherwise.length > 0 ? otherwise : againstItself(gate, completed, checks, before);
  if (untrue.length > 0) return { problems: untrue.map((text) => `${name}: ${text}`), notes: [], gate };
  const found = { violations: completed.violations ?? [], rules: by.rules, checks };
  if (gates.every(({ needsPerson }) => needsPerson !== false) && isWordless && !isProved(gate, found))
    return problem(`${name} has no person's word, which its gate demands where it is not proved`);
  const ruled = (without: readonly AddedCheck[]): boolean =>
    gates.some(({ rules }) => (rules === undefined ? undefined : rulesMeaning(rules, without)) === by.rules);
  const { requirements = [], comparisons = [] } = gate ?? {};
  const isAsking = requirements.length + comparisons.length > 0;
  const judged = { gate, observed, ...(isAsking ? { again: { untold } } : {}) };
  if (ruled([])) return { problems: [], notes: [], ...judged };
  const since = addedSince(completed.at, added);
  const from = since.findIndex((_, index) => ruled(since.slice(index)));
  if (from === -1) return problem(`${name} was judged by other rules than ${theirs}`);
  return {
    ...judged,
    problems: [],
    notes: [
      `${name}: its rules have gained ${since.length - from} correction(s) on record since: ${addedInWords(since.slice(from))}`,
    ],
  };
}

/** What a word lacks of what is asked for; that it is proved as it says is looked at with the history. */
function wordLacks({ level, by = [] }: Completed["word"], asks: Approval): string | undefined {
  if (level === "auto") return "it has no person's word";
  if (isBelow(level, asks.level)) return `its word is ${level}, and its gate or the settings ask for ${asks.level}`;
  const names = new Set(by.map(({ name }) => name).filter((name) => asks.by?.includes(name) ?? true));
  const people = asks.by === undefined ? "people" : `of ${asks.by.join(", ")}`;
  const isLacking = (asks.by !== undefined || asks.count > 1) && names.size < asks.count;
  return isLacking ? `${names.size} ${people} approved it, and its gate asks for ${asks.count}` : undefined;
}

/** What is known of a step when it is judged again. */
export type StepEvidence = {
  readonly state: StepState | undefined;
  readonly completed: Completed | undefined;
  readonly earlier: Earlier;
  /** What the history added up to right before the completion. */
  readonly before: Desk | undefined;
  readonly usable: readonly Usable[];
  readonly added: readonly AddedCheck[];
  readonly observe: ObserveCompleted;
};

/** Looks again at what a gate wants to know of the outside about a completion; what nobody can tell now is left out. */
export type ObserveCompleted = (gate: Gate, completed: Completed) => Promise<Observations>;

/** What speaks against a completion, and what does not. `again`: its evidence was held against its gate once more, and passed; `gate`: the one that judged it; `observed`: what was found out for that. */
export type Judgement = {
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  readonly again?: Again;
  readonly observed?: Observations;
  readonly gate?: Gate | undefined;
};
