import type { Person } from "../evidence/approval.ts";
import { type About, type Signed, statedRun, statementProblem } from "../people/statement.ts";
import type { GivenApproval, StepState } from "../workflow/desk.ts";
import type { StepRef } from "../workflow/events.ts";
import type { PersonsAnswer } from "./answer.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { DeskId, EventLog } from "./ports.ts";

/** Whose an answer is, and how much that is proved. */
type Proved = { readonly level: "elicited" } | { readonly level: "proven"; readonly person: Person };

/** Finds out whose an answer is; one that is signed must be about just this, and by a key of somebody who is trusted here. */
export async function proveAnswer(
  parts: DeskParts,
  { ref, digest, decision, comment, signed }: PersonsAnswer,
): Promise<Proved | { readonly problem: string }> {
  if (signed === undefined) return { level: "elicited" };
  if (signed.statement.comment !== comment) return { problem: "it is about another comment" };
  const expires = signed.statement.expires;
  if (expires !== undefined && !(parts.clock().getTime() < Date.parse(expires))) return { problem: "it has expired" };
  return provedBy(parts, signed, await aboutOf(parts, ref, digest), decision);
}

/** The approvals of an attempt that hold: those that claim somebody's key are proved again each time they are counted. */
export async function approvalsThatHold(
  parts: DeskParts,
  ref: StepRef,
  { approvals = [] }: Pick<StepState, "approvals">,
): Promise<readonly GivenApproval[]> {
  const holding: GivenApproval[] = [];
  for (const one of approvals) {
    const { level, signed, digest, person } = one;
    if (level === "elicited") holding.push(one);
    if (level === "elicited" || signed === undefined) continue;
    const proved = await provedBy(parts, signed, await aboutOf(parts, ref, digest), "approve");
    if ("person" in proved && proved.person.name === person?.name && proved.person.key === person.key)
      holding.push(one);
  }
  return holding;
}

async function provedBy(
  { people }: DeskParts,
  signed: Signed,
  about: About,
  decision: "approve" | "reject",
): Promise<Proved | { readonly problem: string }> {
  const problem = statementProblem(signed.statement, about, decision);
  if (problem !== undefined) return { problem };
  const person = await people?.proves(signed);
  if (person === undefined) return { problem: "nobody's key is known here" };
  return "problem" in person ? person : { level: "proven", person };
}

/** What a person who answers speaks of. */
async function aboutOf({ id, log }: DeskParts, { workflow, step, pass, attempt }: StepRef, digest: string) {
  const project = await projectOf(log, id);
  return { project, run: statedRun(id), workflow, step, pass, attempt, digest } satisfies About;
}

/** Names the project that a history belongs to: by the hash of its first record, the same in every clone. */
export async function projectOf(log: EventLog, id: DeskId): Promise<string> {
  for await (const { hash } of log.records(id)) return hash;
  return "";
}
