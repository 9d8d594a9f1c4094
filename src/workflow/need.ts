import { type Approval, anyWord, atLeast } from "../evidence/approval.ts";
import type { Gate } from "../evidence/gate.ts";
import type { FoundOut } from "../evidence/proved.ts";
import type { GivenApproval } from "./desk.ts";
import type { Word } from "./events.ts";
import { needsPerson } from "./judged.ts";
import type { Plan, Step } from "./workflow.ts";

/** What a hand-in needs of people before its step counts, with what was found out about it; undefined where nobody's word is needed. */
export function needOf(step: Step, plan: Pick<Plan, "wordLevel">, found: FoundOut): Approval | undefined {
  return needsPerson(step, found) ? wordAsked(step.gate, plan) : undefined;
}

/** What a person's word must be where one is needed: what the gate asks for, and never less than the team wants of any. */
export function wordAsked(gate: Gate | undefined, { wordLevel }: Pick<Plan, "wordLevel">): Approval {
  const { approval = false, approvalNeeds } = gate ?? {};
  return atLeast(approval ? (approvalNeeds ?? anyWord) : anyWord, wordLevel);
}

/** The approvals that count towards a need: given to just this, not expired, of a level and by people that will do, one of each person. */
export function approvalsCounted(
  { level, by, count }: Approval,
  given: readonly GivenApproval[],
  digest: string,
  now: string,
): readonly GivenApproval[] {
  const holding = given.filter((one) => one.digest === digest && !isOver(one, now) && counts(one, level, by));
  if (count === 1) return holding.slice(-1);
  return [...new Map(holding.map((one) => [one.person?.name, one])).values()];
}

/** An approval whose time cannot be read is over. */
function isOver({ expires }: GivenApproval, now: string): boolean {
  return !(Date.parse(now) < Date.parse(expires));
}

function counts({ level, person }: GivenApproval, least: Approval["level"], by: Approval["by"]): boolean {
  if (least === "proven" && level !== "proven") return false;
  return by === undefined || (person !== undefined && by.includes(person.name));
}

/** The word that approvals come to, where they are as many as are needed: as much as the least of them proves. */
export function wordOf(approvals: readonly GivenApproval[], { count }: Approval): Word | undefined {
  if (approvals.length < count) return undefined;
  const people = approvals.flatMap(({ person }) => person ?? []);
  const isProven = approvals.every(({ level }) => level === "proven");
  const text = approvals.flatMap(({ comment }) => comment ?? []).join("; ");
  return {
    level: isProven ? "proven" : "elicited",
    ...(text === "" ? {} : { text }),
    ...(people.length === 0 ? {} : { by: people }),
  };
}
