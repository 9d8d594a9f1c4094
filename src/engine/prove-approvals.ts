import type { Person } from "../gates/approval-rule.ts";
import {
  type Decision,
  type HistoryName,
  historyNameOf,
  type SignedStatement,
  type StatementSubject,
  statedRun,
  statementProblem,
} from "../gates/approval-statement.ts";
import { responseDigest } from "../gates/waiver.ts";
import type { StepRef } from "../workflow/events.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { GivenApproval, StepState, Waiver } from "../workflow/stream-snapshot.ts";
import type { AnswerRequest } from "./answer-request.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { EventLog } from "./ports/event-log.ts";

/** The level of an answer, and the person a key proves gave it. */
type ProvedAnswer = { readonly level: "elicited" } | { readonly level: "proven"; readonly person: Person };

/** An answer that a statement can prove. */
type StatedAnswer = Omit<AnswerRequest, "decision" | "signed"> & {
  readonly decision: Decision;
  readonly signed?: SignedStatement<Decision>;
};

/** Finds out who gave an answer; a signed one must state exactly this and use a key trusted here. */
export async function proveStatement(
  deps: EngineDeps,
  { ref, digest, decision, comment, signed }: StatedAnswer,
  now: string,
): Promise<ProvedAnswer | { readonly problem: string }> {
  if (signed === undefined) return { level: "elicited" };
  if (signed.statement.comment !== comment) return { problem: "it was signed for a different comment" };
  const expires = signed.statement.expires;
  if (expires !== undefined && !(Date.parse(now) < Date.parse(expires))) return { problem: "it has expired" };
  const [about] = await statementsAbout(deps, ref, digest);
  return proveSigned(deps, signed, about, decision);
}

/** The approvals of an attempt that count now; signed ones are proved again each time. */
export async function validApprovals(
  deps: EngineDeps,
  ref: StepRef,
  { approvals = [] }: Pick<StepState, "approvals">,
): Promise<readonly GivenApproval[]> {
  const holding: GivenApproval[] = [];
  for (const one of approvals) {
    const { level, signed, digest, person } = one;
    if (level === "elicited") holding.push(one);
    if (level === "elicited" || signed === undefined) continue;
    const proved = await proveSigned(deps, signed, await ownForm(deps, ref, digest, signed), "approve");
    if ("person" in proved && proved.person.name === person?.name && proved.person.key === person.key)
      holding.push(one);
  }
  return holding;
}

/** The waivers of an attempt that count now; signed ones are proved again each time. */
export async function validWaivers(
  deps: EngineDeps,
  ref: StepRef,
  waivers: readonly Waiver[],
): Promise<readonly Waiver[]> {
  const holding: Waiver[] = [];
  for (const one of waivers) {
    const { level, signed, person, fields, follows, reason } = one;
    if (level === "elicited") holding.push(one);
    if (level !== "proven" || signed?.statement.comment !== reason) continue;
    const about = await ownForm(deps, ref, responseDigest(fields, follows), signed);
    const proved = await proveSigned(deps, signed, about, "waive");
    if ("person" in proved && proved.person.name === person?.name && proved.person.key === person.key)
      holding.push(one);
  }
  return holding;
}

async function proveSigned(
  { people }: EngineDeps,
  signed: SignedStatement<Decision>,
  about: StatementSubject,
  decision: Decision,
): Promise<ProvedAnswer | { readonly problem: string }> {
  const problem = statementProblem(signed.statement, about, decision);
  if (problem !== undefined) return { problem };
  const person = await people?.findSigner(signed);
  if (person === undefined) return { problem: "no keys are known here" };
  return "problem" in person ? person : { level: "proven", person };
}

/** The statement that a person's answer must match, and the form that was right before the history had an identity. */
async function statementsAbout(
  { id, log }: EngineDeps,
  { workflow, step, pass, attempt }: StepRef,
  digest: string,
): Promise<readonly [StatementSubject, ...StatementSubject[]]> {
  const { name, earlier } = await historyNames(log, id);
  const about = { run: statedRun(id), workflow, step, pass, attempt, digest };
  return [{ ...name, ...about }, ...earlier.map((one) => ({ ...one, ...about }))];
}

/** The statement to match for an answer on record, in the form of its time. */
async function ownForm(
  deps: EngineDeps,
  ref: StepRef,
  digest: string,
  { statement }: SignedStatement<Decision>,
): Promise<StatementSubject> {
  const [now, ...earlier] = await statementsAbout(deps, ref, digest);
  return earlier.find(({ first }) => first === statement.first) ?? now;
}

/** Names a history as signed statements do. */
export async function historyName(log: EventLog, id: StreamId): Promise<HistoryName> {
  return (await historyNames(log, id)).name;
}

async function historyNames(
  log: EventLog,
  id: StreamId,
): Promise<{ readonly name: HistoryName; readonly earlier: readonly HistoryName[] }> {
  const { project } = (await log.load(id)).stream;
  let first = "";
  for await (const { hash } of log.records(id)) {
    first = hash;
    break;
  }
  const earlier = project?.isLater === true ? [historyNameOf(undefined, first)] : [];
  return { name: historyNameOf(project?.id, first), earlier };
}
