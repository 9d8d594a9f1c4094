import { approvedPartOf } from "../gates/check-verdict.ts";
import { gateMeaning, schemasMeaning } from "../gates/gate-meaning.ts";
import { writeJudgedBy } from "../gates/judged-by.ts";
import { isFullyVerified, type SubmissionFindings } from "../gates/proved.ts";
import type { Waived } from "../gates/waiver.ts";
import { defined } from "../kit/defined.ts";
import { digestOf, type Json, type JsonObject } from "../kit/json.ts";
import type { CompleteCommand } from "./command.ts";
import type { Submission, Violation } from "./events.ts";
import type { Plan, Step, Workflow } from "./workflow.ts";

/** The findings and waivers about a submission that an approval covers. */
type FoundAbout = Pick<CompleteCommand, "violations" | "checks"> & {
  readonly waived?: readonly Waived[];
  /** The inputs of the session. */
  readonly inputs?: JsonObject;
  /** The digest of the outcomes and heads of items. */
  readonly items?: string;
};

/** The parts of a submission that a person is shown and approves: outputs, evidence, file hashes, violations, check results and waivers. */
export function approvedContent(
  { outputs, evidence, content }: Submission,
  { violations, checks, waived = [], inputs = {}, items }: FoundAbout,
): Json {
  const files = (content ?? []).map(({ path, sha256 }): [string, string] => [path, sha256]);
  return {
    outputs: outputs ?? {},
    evidence: evidence ?? {},
    content: Object.fromEntries(files),
    ...(violations === undefined ? {} : { violations: violations.map(violationContent) }),
    ...(checks === undefined ? {} : { checks: checks.map(approvedPartOf) }),
    ...(waived.length === 0 ? {} : { waived: waived.map((one) => ({ ...one })) }),
    ...(Object.keys(inputs).length === 0 ? {} : { inputs }),
    ...defined({ items }),
  };
}

function violationContent({ rule, severity, file, line, message }: Violation): JsonObject {
  return { rule, severity, file, message, ...defined({ line }) };
}

/** The hash of what judges a submission: the step's gate and sequence; `rules` is the digest of the rules that ran. */
export function judgedByHash(
  step: Step,
  { steps, closed }: Workflow,
  { settings, ordered, workflows }: Pick<Plan, "settings" | "ordered" | "workflows">,
  rules?: string,
): string {
  const names = steps.map(({ name, skip }) => (skip === undefined ? name : { skipped: name }));
  return writeJudgedBy({
    gate: digestOf(gateMeaning(step.gate, approvalNeed(step), step.edits, step.routing)).slice(0, 32),
    sequence: digestOf(closed === undefined ? names : [...names, null]).slice(0, 32),
    schemas: schemasMeaning(step.gate?.checks),
    behaviors: ordered ? digestOf(workflows.map(({ name }) => name)).slice(0, 32) : undefined,
    reader: step.gate?.isFromProse ? "2" : undefined,
    rules,
    settings,
  });
}

/** Tells if a step needs approval: always, never, or unless it is proved. */
export function approvalNeed({ auto, gate }: Step): boolean | "unless_proved" {
  if (gate?.approval === true) return true;
  return auto === "if_proved" ? "unless_proved" : !auto;
}

/** Tells if a submission needs approval, given what was found out about it. */
export function needsApproval(step: Step, found: SubmissionFindings): boolean {
  const needed = approvalNeed(step);
  return needed === "unless_proved" ? !isFullyVerified(step.gate, found) : needed;
}
