import type { Violation } from "../workflow/events.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { Refusal } from "../workflow/refusal.ts";
import { inFocus } from "../workflow/route.ts";
import type { Problem } from "../workflow/workflow.ts";
import type { EngineParts } from "./engine.ts";
import { filesOnRecord, producedSoFar } from "./produced.ts";
import type { Reply } from "./reply.ts";
import type { Session } from "./session.ts";
import { survey, type Transacted } from "./transact.ts";

/** Turns a recorded decision into an answer: the content that may leave now, and what it rests on. */
export async function describe(
  parts: EngineParts,
  transacted: Transacted,
  known?: readonly Violation[],
): Promise<Reply> {
  const { decision, reading, desk, warnings } = transacted;
  const { outcome } = decision;
  const shown = stepShown(outcome);
  const said = [...reading.warnings, ...warnings, ...decision.warnings];
  const history = { count: desk.completedCount, last: desk.recent };
  if (shown === null) return { outcome, content: "", auto: false, history, warnings: said };

  const { workflow, step } = shown;
  const violations =
    known ?? (parts.definitions.checksRules(step) ? await runRules(parts, transacted, workflow, null) : undefined);
  const presented = parts.definitions.present({
    workflow,
    step,
    produced: producedSoFar(reading.plan, desk),
    ...(violations === undefined ? {} : { violations }),
  });
  const defined = reading.plan.workflows.find(({ name }) => name === workflow)?.steps.find(({ name }) => name === step);
  return {
    outcome,
    content: presented.text,
    auto: defined?.auto === true && defined.gate?.approval !== true,
    ...(defined?.gate === undefined ? {} : { gate: defined.gate }),
    history,
    warnings: [...said, ...presented.warnings],
    ...(violations === undefined ? {} : { violations }),
  };
}

/** The step whose content goes out with an outcome; a completion and an end show none. */
function stepShown(outcome: Outcome): { workflow: string; step: string } | null {
  switch (outcome.kind) {
    case "opened":
    case "interrupted":
    case "review":
      return outcome.ref;
    case "aside_opened":
      return outcome;
    case "refused":
      return outcome.current;
    case "completed":
    case "finished":
    case "awaiting":
    case "gone_back":
    case "aside_completed":
      return null;
  }
}

/** Runs the rules a machine can check over everything on record, and what is handed in now. */
export async function runRules(
  parts: EngineParts,
  { reading, desk }: Pick<Transacted, "reading" | "desk">,
  workflow: string,
  handedInNow: Parameters<typeof filesOnRecord>[4],
): Promise<readonly Violation[]> {
  const { rules } = parts.definitions.rules(workflow);
  if (rules.every(({ checks }) => checks.length === 0)) return [];
  const files = await filesOnRecord(parts.content, reading.plan, desk, workflow, handedInNow);
  // Where nothing was handed in nothing can be broken, and that must not pass for a result.
  if (files.length === 0)
    return [
      {
        rule: "content",
        severity: "error",
        file: workflow,
        message: "no file is on record, so no rule could be checked",
      },
    ];
  return parts.checkRules(rules, files);
}

/** Refuses a call whose arguments cannot be taken; the work stays where it is. */
export async function invalidInput(
  parts: EngineParts,
  session: Session,
  message: string,
  required_action: string,
): Promise<Reply> {
  return refuseAtPlace(parts, session, { error: "invalid_input", message: `Not taken: ${message}.`, required_action });
}

/** Refuses to work from definitions that cannot be understood. */
export async function refusedBy(parts: EngineParts, session: Session, problem: Problem): Promise<Reply> {
  return refuseAtPlace(parts, session, {
    error: "invalid_definition",
    message: `${problem.file} cannot be used: ${problem.message}.`,
    required_action: `Mend ${problem.file}, then call again.`,
  });
}

async function refuseAtPlace(parts: EngineParts, session: Session, refusal: Refusal): Promise<Reply> {
  const warnings: string[] = [];
  const { snapshot, reading } = await survey(parts, session, warnings);
  const workflow = inFocus(reading.plan, snapshot.desk)?.name ?? null;
  const outcome: Outcome = { kind: "refused", workflow, current: null, refusal };
  return describe(parts, { decision: { events: [], outcome, warnings: [] }, reading, desk: snapshot.desk, warnings });
}
