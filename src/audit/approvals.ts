import type { CheckResult } from "../evidence/check.ts";
import type { Approver } from "../people/approver.ts";
import { isProved } from "../people/proof.ts";
import { type Signed, statedRun, statementProblem } from "../people/statement.ts";
import type { Event, StepRef } from "../workflow/events.ts";
import { attemptKey } from "../workflow/step-ref.ts";
import { compareWithDigest } from "./compare-digest.ts";

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

/** What the answers of a history came to; `notes` say what cannot be told. */
export type ApprovalsAudit = {
  readonly approvals: readonly AuditedApproval[];
  readonly problems: readonly string[];
  readonly notes: readonly string[];
};

/** Proves every answer of a history that claims to be proved, and every completion that rests on one; offline, by the keys that are given. */
export function auditApprovals(events: Iterable<Event>, stated: Stated, approvers: KnownApprovers): ApprovalsAudit {
  const approvals: AuditedApproval[] = [];
  const problems: string[] = [];
  const notes: string[] = [];
  const nonces = new Set<string>();
  const attempts = new Map<string, Attempt>();
  const attemptOf = (event: StepRef): Attempt => {
    const key = attemptKey(event);
    const known = attempts.get(key) ?? { answers: [], checks: new Map() };
    attempts.set(key, known);
    return known;
  };
  for (const event of events) {
    if (event.type === "checked") {
      const { checks } = attemptOf(event);
      checks.delete(event.result.name); // the newest stands last
      checks.set(event.result.name, event.result);
    }
    if (event.type === "approved" || event.type === "declined") {
      if (event.level !== "proven" && event.signed === undefined) continue;
      const { expires, ...audited } = auditAnswer(event, stated, approvers, nonces);
      approvals.push(audited);
      attemptOf(event).answers.push({ ...audited, ...(expires === undefined ? {} : { expires }) });
      if (audited.problem !== undefined) problems.push(`${answerInWords(audited)}: ${audited.problem}`);
    }
    if (event.type === "completed" && event.word?.level === "proven") {
      const said = unproved(event, attemptOf(event));
      problems.push(...said.problems);
      notes.push(...said.notes);
    }
  }
  return { approvals, problems, notes };
}

/** What is on record of one attempt: the answers of people, and the newest result of each check. */
type Attempt = {
  readonly answers: (AuditedApproval & { readonly expires?: string })[];
  readonly checks: Map<string, CheckResult>;
};

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
  { answers, checks }: Attempt,
): Pick<ApprovalsAudit, "problems" | "notes"> {
  const { step, attempt, word, digest, at } = event;
  const place = `${step}, attempt ${attempt}: completed on ${at.slice(0, 16).replace("T", " ")}`;
  const problem = (text: string) => ({ problems: [`${place}${text}`], notes: [] });
  const own = answers.filter((one) => one.digest === digest);
  const lastNo = own.findLastIndex(({ decision }) => decision === "reject");
  const holding = own
    .slice(lastNo + 1)
    .filter(({ problem, expires = "" }) => problem === undefined && Date.parse(at) < Date.parse(expires));
  const people = word.by ?? [];
  const claimed = people.filter(({ name, key }) => !holding.some((one) => one.name === name && one.key === key));
  if (people.length === 0) return problem(" as proven, by nobody");
  if (claimed.length > 0)
    return problem(` as approved by ${claimed.map(({ name }) => name).join(", ")}, and no approval of it proves that`);
  switch (compareWithDigest(event, checks)) {
    case "same":
      return { problems: [], notes: [] };
    case "other":
      return problem(": what is on record there is not what was approved");
    case "unknown": {
      const why = `it has ${checks.size} checks, and this record of before does not say in which order they were shown`;
      const note = `${place}: it was not checked whether what is on record there is what was approved (${why})`;
      return { problems: [], notes: [note] };
    }
  }
}
