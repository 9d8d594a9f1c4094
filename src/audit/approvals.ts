import type { CheckResult } from "../evidence/check.ts";
import { digestOf } from "../evidence/json.ts";
import type { Approver } from "../people/approver.ts";
import { isProved } from "../people/proof.ts";
import { type Signed, statedRun, statementProblem } from "../people/statement.ts";
import type { Event, StepRef } from "../workflow/events.ts";
import { shownToAPerson } from "../workflow/judged.ts";
import { attemptKey } from "./claims.ts";

/** Whose approvals can be proved; or why nobody's can. */
export type KnownApprovers = readonly Approver[] | { readonly problem: string };

/** A person's answer on record that claims to be proved: by whom, with which key, over what; and what speaks against it. */
export type AuditedApproval = StepRef & {
  readonly decision: "approve" | "reject";
  readonly name: string;
  readonly key: string;
  readonly at: string;
  readonly digest: string;
  readonly comment?: string;
  readonly problem?: string;
};

/** A history's name and the hash of its first record: what a statement must name. */
export type Stated = { readonly name: string; readonly run?: string; readonly project: string };

/** Proves every answer of a history that claims to be proved, and every completion that rests on one; offline, by the keys that are given. */
export function auditApprovals(
  events: Iterable<Event>,
  stated: Stated,
  approvers: KnownApprovers,
): { readonly approvals: readonly AuditedApproval[]; readonly problems: readonly string[] } {
  const approvals: (AuditedApproval & { readonly expires?: string })[] = [];
  const problems: string[] = [];
  const nonces = new Set<string>();
  const checks = new Map<string, readonly CheckResult[]>();
  for (const event of events) {
    if (event.type === "checked") {
      const known = checks.get(attemptKey(event)) ?? [];
      checks.set(attemptKey(event), [...known.filter(({ name }) => name !== event.result.name), event.result]);
    }
    if (event.type === "approved" || event.type === "declined") {
      if (event.level !== "proven" && event.signed === undefined) continue;
      const audited = auditAnswer(event, stated, approvers, nonces);
      approvals.push(audited);
      if (audited.problem !== undefined) problems.push(`${answerInWords(audited)}: ${audited.problem}`);
    }
    if (event.type === "completed" && event.word?.level === "proven")
      problems.push(...unproved(event, approvals, checks.get(attemptKey(event)) ?? []));
  }
  return { approvals: approvals.map(({ expires: _, ...one }) => one), problems };
}

/** A proved answer in words. */
export function answerInWords({ decision, name, key, step, attempt, digest, at }: AuditedApproval): string {
  const what = decision === "approve" ? "approved" : "rejected";
  return `${step}, attempt ${attempt}: ${what} by ${name} (key ${key.slice(0, 16)}) on ${at.slice(0, 16).replace("T", " ")}, over ${digest.slice(0, 16)}`;
}

type Answer = Event & { readonly type: "approved" | "declined" };

function auditAnswer(event: Answer, stated: Stated, approvers: KnownApprovers, nonces: Set<string>) {
  const { workflow, step, pass, attempt, at, person, signed, digest = "" } = event;
  const comment = event.type === "approved" ? event.comment : event.reason;
  const problem = answerProblem(event, stated, approvers, nonces);
  return {
    workflow,
    step,
    pass,
    attempt,
    decision: event.type === "approved" ? ("approve" as const) : ("reject" as const),
    name: person?.name ?? "nobody",
    key: person?.key ?? signed?.proof.key ?? "",
    at,
    digest,
    ...(comment === undefined ? {} : { comment }),
    ...(event.type === "approved" ? { expires: event.expires } : {}),
    ...(problem === undefined ? {} : { problem }),
  };
}

function answerProblem(
  event: Answer,
  { name, run, project }: Stated,
  approvers: KnownApprovers,
  nonces: Set<string>,
): string | undefined {
  const { workflow, step, pass, attempt, at, person, signed, digest = "" } = event;
  if (signed === undefined || event.level !== "proven" || person === undefined)
    return "it is said to be proven, and nothing proves it";
  const { statement } = signed;
  const isSeen = nonces.has(statement.nonce);
  nonces.add(statement.nonce);
  if (isSeen) return "it stands there twice, and counts once";
  const stated = { project, run: statedRun({ name, ...(run === undefined ? {} : { run }) }) };
  const about = { ...stated, workflow, step, pass, attempt, digest };
  const decision = event.type === "approved" ? "approve" : "reject";
  const said = event.type === "approved" ? event.comment : event.reason;
  return (
    statementProblem(statement, about, decision) ??
    (statement.comment === said ? undefined : "it is about another comment") ??
    provedAs(signed, person, approvers) ??
    overAt(statement.expires, at, "it had expired when it was given") ??
    (event.type === "approved" ? overAt(statement.expires, event.expires, "it is said to count for longer") : undefined)
  );
}

function provedAs(
  signed: Signed,
  person: NonNullable<Answer["person"]>,
  approvers: KnownApprovers,
): string | undefined {
  if ("problem" in approvers) return approvers.problem;
  const approver = approvers.find(({ key }) => key === signed.proof.key);
  if (approver === undefined) return "its key is that of no approver";
  if (approver.name !== person.name || approver.key !== person.key) return `its key is that of ${approver.name}`;
  const verdict = isProved(signed, approver);
  return verdict === true ? undefined : verdict;
}

function overAt(expires: string | undefined, at: string, problem: string): string | undefined {
  return expires === undefined || Date.parse(at) <= Date.parse(expires) ? undefined : problem;
}

/** What a completion claims of people that no approval of just this proves. */
function unproved(
  event: Event & { readonly type: "completed" },
  approvals: readonly (AuditedApproval & { readonly expires?: string })[],
  checks: readonly CheckResult[],
): readonly string[] {
  const { step, attempt, word, digest, at } = event;
  const place = `${step}, attempt ${attempt}: completed on ${at.slice(0, 16).replace("T", " ")}`;
  const own = approvals.filter((one) => attemptKey(one) === attemptKey(event) && one.digest === digest);
  const lastNo = own.findLastIndex(({ decision }) => decision === "reject");
  const holding = own
    .slice(lastNo + 1)
    .filter(({ problem, expires = "" }) => problem === undefined && Date.parse(at) < Date.parse(expires));
  const people = word.by ?? [];
  const claimed = people.filter(({ name, key }) => !holding.some((one) => one.name === name && one.key === key));
  if (people.length === 0) return [`${place} as proven, by nobody`];
  if (claimed.length > 0)
    return [`${place} as approved by ${claimed.map(({ name }) => name).join(", ")}, and no approval of it proves that`];
  return isWhatWasShown(event, checks) ? [] : [`${place}: what is on record there is not what was approved`];
}

/** Whether a completion counts what its digest names; our own readable record is written after it. */
export function isWhatWasShown(event: Event & { readonly type: "completed" }, checks: readonly CheckResult[]): boolean {
  const { outputs, evidence, content = [], violations, digest } = event;
  const handed = {
    ...(outputs === undefined ? {} : { outputs }),
    ...(evidence === undefined ? {} : { evidence }),
    content: content.filter(({ readable }) => readable !== true),
  };
  const found = violations === undefined ? {} : { violations };
  const isIt = (order: readonly CheckResult[] | undefined): boolean =>
    digestOf(shownToAPerson(handed, { ...found, ...(order === undefined ? {} : { checks: order }) })) === digest;
  // The order of checks is the gate's, which is not on record; of so many nobody can try all.
  if (checks.length > mostChecks) return true;
  return checks.length === 0 ? isIt(undefined) : orders(checks).some(isIt);
}

const mostChecks = 6;

function orders<T>(things: readonly T[]): readonly (readonly T[])[] {
  if (things.length < 2) return [things];
  return things.flatMap((first, at) => orders(things.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}
