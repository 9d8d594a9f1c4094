import { schemasMeaning } from "../evidence/check-schema.ts";
import { shownOf } from "../evidence/check-verdict.ts";
import { gateMeaning } from "../evidence/gate-meaning.ts";
import { digestOf, type Json, type JsonObject } from "../evidence/json.ts";
import { writeJudgedBy } from "../evidence/judged-by.ts";
import { type FoundOut, isProved } from "../evidence/proved.ts";
import type { CompleteCommand } from "./command.ts";
import type { HandedIn, Violation } from "./events.ts";
import type { Plan, Step, Workflow } from "./workflow.ts";

/** What a person is shown of a hand-in, and says yes or no to: outputs, evidence, the files' hashes, what rules and checks found. */
export function shownToAPerson(
  { outputs, evidence, content }: HandedIn,
  { violations, checks }: Pick<CompleteCommand, "violations" | "checks">,
): Json {
  const files = (content ?? []).map(({ path, sha256 }): [string, string] => [path, sha256]);
  return {
    outputs: outputs ?? {},
    evidence: evidence ?? {},
    content: Object.fromEntries(files),
    ...(violations === undefined ? {} : { violations: violations.map(plain) }),
    ...(checks === undefined ? {} : { checks: checks.map(shownOf) }),
  };
}

function plain({ rule, severity, file, line, message }: Violation): JsonObject {
  return { rule, severity, file, message, ...(line === undefined ? {} : { line }) };
}

/** What of a step's definition judges a hand-in: its gate and its place in the sequence; `rules`: what was run over the content. */
export function judgedBy(
  step: Step,
  { steps, closed }: Workflow,
  { settings, ordered, workflows }: Plan,
  rules?: string,
): string {
  const names = steps.map(({ name, skip }) => (skip === undefined ? name : { skipped: name }));
  return writeJudgedBy({
    gate: digestOf(gateMeaning(step.gate, personNeeded(step), step.edits)).slice(0, 32),
    sequence: digestOf(closed === undefined ? names : [...names, null]).slice(0, 32),
    schemas: schemasMeaning(step.gate?.checks),
    behaviors: ordered ? digestOf(workflows.map(({ name }) => name)).slice(0, 32) : undefined,
    rules,
    settings,
  });
}

/** Whether a step counts only on a person's word: always, never, or unless it is proved. */
export function personNeeded({ auto, gate }: Step): boolean | "unless_proved" {
  if (gate?.approval === true) return true;
  return auto === "if_proved" ? "unless_proved" : !auto;
}

/** Whether a hand-in counts only on a person's word, with what was found out about it. */
export function needsPerson(step: Step, found: FoundOut): boolean {
  const needed = personNeeded(step);
  return needed === "unless_proved" ? !isProved(step.gate, found) : needed;
}
