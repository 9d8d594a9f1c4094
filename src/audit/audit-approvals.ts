import {
  type Decision,
  historyNameOf,
  type SignedStatement,
  statedRun,
  statementProblem,
} from "../gates/approval-statement.ts";
import type { CheckResult } from "../gates/check.ts";
import { responseDigest, type Waived } from "../gates/waiver.ts";
import { defined } from "../kit/defined.ts";
import type { JsonObject } from "../kit/json.ts";
import type { Approver } from "../people/approver.ts";
import { verifyProof } from "../people/verify-proof.ts";
import type { Event, StepRef } from "../workflow/events.ts";
import { type AnswerEvent, isAnswer } from "../workflow/replay-approval.ts";
import { responderOf } from "../workflow/replay-blocked.ts";
import { attemptKey } from "../workflow/step-ref.ts";
import { compareWithDigest } from "./compare-digest.ts";

/** The approvers whose approvals can be proved, or the reason none can. */
export type KnownApprovers = readonly Approver[] | { readonly problem: string };

/** A recorded answer that claims to be proven: by whom, with which key, over which digest, and any problem. */
export type AuditedApproval = StepRef & {
  readonly decision: Decision;
  readonly name: string;
  readonly key: string;
  readonly at: string;
  readonly digest: string;
  readonly comment?: string;
  readonly problem?: string;
};

/** The history's name and the hash of its first record, which a statement must name beside the project. */
export type StatedSubject = { readonly name: string; readonly run?: string; readonly first: string };

/** The audit of a history's answers; `notes` say what could not be checked. */
export type ApprovalsAudit = {
  readonly approvals: readonly AuditedApproval[];
  readonly problems: readonly string[];
  readonly notes: readonly string[];
};

/** Verifies offline every answer that claims to be proven, and every completion that relies on one. */
export function auditApprovals(
  events: Iterable<Event>,
  stated: StatedSubject,
  approvers: KnownApprovers,
): ApprovalsAudit {
  const approvals: AuditedApproval[] = [];
  const problems: string[] = [];
  const notes: string[] = [];
  const nonces = new Set<string>();
  const attempts = new Map<string, AttemptAnswers>();
  let inputs: JsonObject | undefined;
  const attemptOf = (event: StepRef): AttemptAnswers => {
    const key = attemptKey(event);
    const known = attempts.get(key) ?? { answers: [], waived: [], checks: new Map(), ...defined({ inputs }) };
    attempts.set(key, known);
    return known;
  };
  let project: string | undefined;
  for (const event of events) {
    if (event.type === "session_began") inputs = event.inputs;
    if (event.type === "identified") project = event.project;
    if (event.type === "checked") {
      const { checks } = attemptOf(event);
      checks.delete(event.result.name); // a later result replaces an earlier one
      checks.set(event.result.name, event.result);
    }
    if (isAnswer(event)) {
      const waivers = attemptOf(event).waived;
      if (event.level !== "proven" && event.signed === undefined) {
        waivers.push(...waivedIn(event));
        continue;
      }
      const { expires, ...audited } = auditAnswer(event, { ...stated, project }, approvers, nonces);
      approvals.push(audited);
      attemptOf(event).answers.push({ ...audited, ...defined({ expires }) });
      if (audited.problem === undefined) waivers.push(...waivedIn(event));
      if (audited.problem !== undefined) problems.push(`${describeAnswer(audited)}: ${audited.problem}`);
    }
    if (event.type === "completed") problems.push(...unprovedWaivers(event, attemptOf(event)));
    if (event.type === "completed" && event.word?.level === "proven") {
      const said = unprovedApprovals(event, attemptOf(event));
      problems.push(...said.problems);
      notes.push(...said.notes);
    }
  }
  return { approvals, problems, notes };
}

/** The record of one attempt: people's answers, what they waived without a problem, and the newest result of each check. */
type AttemptAnswers = {
  /** The inputs of the session. */
  readonly inputs?: JsonObject;
  readonly answers: (AuditedApproval & { readonly expires?: string })[];
  readonly waived: Waived[];
  readonly checks: Map<string, CheckResult>;
};

/** Describes a proven answer in one line. */
export function describeAnswer({ decision, name, key, step, attempt, digest, at }: AuditedApproval): string {
  return `${step}, attempt ${attempt}: ${decisionWords[decision]} by ${name} (key ${key.slice(0, 16)}) on ${at.slice(0, 16).replace("T", " ")}, over ${digest.slice(0, 16)}`;
}

const decisionWords = { approve: "approved", reject: "rejected", answer: "answered", waive: "waived" } as const;

/** The decision, text and digest that an answer states. */
function statedBy(event: AnswerEvent): {
  readonly decision: Decision;
  readonly comment: string | undefined;
  readonly digest: string;
} {
  switch (event.type) {
    case "approved":
      return { decision: "approve", comment: event.comment, digest: event.digest };
    case "declined":
      return { decision: "reject", comment: event.reason, digest: event.digest ?? "" };
    case "answered":
      return { decision: "answer", comment: event.text, digest: responseDigest([], event.follows) };
    case "finished":
      return { decision: "answer", comment: event.reason, digest: responseDigest([], event.outcome) };
    case "waived":
      return { decision: "waive", comment: event.reason, digest: responseDigest(event.fields, event.follows) };
  }
}

function waivedIn(event: AnswerEvent): readonly Waived[] {
  if (event.type !== "waived") return [];
  const { fields, reason } = event;
  return fields.map((field) => ({ field, reason, by: responderOf(event) }));
}

/** Finds what a completion counts as waived that no one waived in its attempt. */
function unprovedWaivers(
  { step, attempt, waived = [] }: Event & { readonly type: "completed" },
  { waived: known }: AttemptAnswers,
): readonly string[] {
  const isKnown = (one: Waived): boolean =>
    known.some(({ field, reason, by }) => field === one.field && reason === one.reason && by === one.by);
  return waived
    .filter((one) => !isKnown(one))
    .map(({ field }) => `${step}, attempt ${attempt}: ${field} counts as waived, but no recorded waiver proves that`);
}

/** The subject, and the project that its history was identified with by then. */
type StatedThen = StatedSubject & { readonly project: string | undefined };

function auditAnswer(event: AnswerEvent, stated: StatedThen, approvers: KnownApprovers, nonces: Set<string>) {
  const { workflow, step, pass, attempt, at, person, signed } = event;
  const { decision, comment, digest } = statedBy(event);
  const problem = answerProblem(event, stated, approvers, nonces);
  return {
    workflow,
    step,
    pass,
    attempt,
    decision,
    name: person?.name ?? "no one",
    key: person?.key ?? signed?.proof.key ?? "",
    at,
    digest,
    ...defined({ comment }),
    ...(event.type === "approved" ? { expires: event.expires } : {}),
    ...defined({ problem }),
  };
}

function answerProblem(
  event: AnswerEvent,
  { name, run, first, project }: StatedThen,
  approvers: KnownApprovers,
  nonces: Set<string>,
): string | undefined {
  const { workflow, step, pass, attempt, at, person, signed } = event;
  if (signed === undefined || event.level !== "proven" || person === undefined)
    return "it claims to be proven, but nothing proves it";
  const { statement } = signed;
  const isSeen = nonces.has(statement.nonce);
  nonces.add(statement.nonce);
  if (isSeen) return "it is recorded twice and counts once";
  const stated = { ...historyNameOf(project, first), run: statedRun({ name, ...defined({ run }) }) };
  const { decision, comment: said, digest } = statedBy(event);
  const about = { ...stated, workflow, step, pass, attempt, digest };
  return (
    statementProblem(statement, about, decision) ??
    (statement.comment === said ? undefined : "it was signed for a different comment") ??
    proofProblem(signed, person, approvers) ??
    expiryProblem(statement.expires, at, "it had already expired when it was given") ??
    (event.type === "approved"
      ? expiryProblem(statement.expires, event.expires, "it is recorded with a later expiry than was signed")
      : undefined)
  );
}

function proofProblem(
  signed: SignedStatement<Decision>,
  person: NonNullable<AnswerEvent["person"]>,
  approvers: KnownApprovers,
): string | undefined {
  if ("problem" in approvers) return approvers.problem;
  const approver = approvers.find(({ key }) => key === signed.proof.key);
  if (approver === undefined) return "its key belongs to no approver";
  if (approver.name !== person.name || approver.key !== person.key) return `its key belongs to ${approver.name}`;
  const verdict = verifyProof(signed, approver);
  return verdict === true ? undefined : verdict;
}

function expiryProblem(expires: string | undefined, at: string, problem: string): string | undefined {
  return expires === undefined || Date.parse(at) <= Date.parse(expires) ? undefined : problem;
}

/** Finds the approvals a completion claims that no recorded approval of it proves. */
function unprovedApprovals(
  event: Event & { readonly type: "completed" },
  { answers, checks, inputs }: AttemptAnswers,
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
  if (people.length === 0) return problem(" as proven, with no approver");
  if (claimed.length > 0)
    return problem(
      ` as approved by ${claimed.map(({ name }) => name).join(", ")}, but no recorded approval proves that`,
    );
  switch (compareWithDigest(event, checks, inputs)) {
    case "same":
      return { problems: [], notes: [] };
    case "other":
      return problem(": the record is not what was approved");
    case "unknown": {
      const why = `it has ${checks.size} checks, and this older record does not say in which order they were shown`;
      const note = `${place}: could not check that the record is what was approved (${why})`;
      return { problems: [], notes: [note] };
    }
  }
}
