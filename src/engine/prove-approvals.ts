import type { Person } from "../gates/approval-rule.ts";
import {
  type Decision,
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
  return proveSigned(deps, signed, await statementAbout(deps, ref, digest), decision);
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
    const proved = await proveSigned(deps, signed, await statementAbout(deps, ref, digest), "approve");
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
    const { level, signed, person, fields, reason } = one;
    if (level === "elicited") holding.push(one);
    if (level !== "proven" || signed?.statement.comment !== reason) continue;
    const about = await statementAbout(deps, ref, responseDigest(fields));
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

/** The statement that a person's answer must match. */
async function statementAbout({ id, log }: EngineDeps, { workflow, step, pass, attempt }: StepRef, digest: string) {
  const project = await projectHash(log, id);
  return { project, run: statedRun(id), workflow, step, pass, attempt, digest } satisfies StatementSubject;
}

/** Names a history's project by the hash of its first record, which is the same in every clone. */
export async function projectHash(log: EventLog, id: StreamId): Promise<string> {
  for await (const { hash } of log.records(id)) return hash;
  return "";
}
