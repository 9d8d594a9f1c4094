import { historyNameOf, statedRun } from "../gates/approval-statement.ts";
import { type RunnerLevel, resultProblem, resultText, type SignedResult } from "../gates/result-statement.ts";
import { defined } from "../kit/defined.ts";
import type { Approver } from "../people/approver.ts";
import { isSignedText } from "../people/runner-key.ts";
import { type RunnersRead, trustOf } from "../people/runners-file.ts";
import type { Event, StepRef } from "../workflow/events.ts";
import { attemptKey } from "../workflow/step-ref.ts";
import type { KnownApprovers, StatedSubject } from "./audit-approvals.ts";

/** The runners that the definitions name. */
export type KnownRunners = RunnersRead;

/** A recorded result that a runner signed: by which key, at which level, on which commit, and any problem. */
export type AuditedResult = StepRef & {
  readonly check: string;
  readonly status: "passed" | "failed";
  readonly level: RunnerLevel;
  /** The runner's name; a bridge's own key has none. */
  readonly runner?: string;
  readonly trusted_by?: string;
  readonly key: string;
  readonly commit: string | null;
  readonly at: string;
  readonly problem?: string;
};

type ResultsAudit = { readonly results: readonly AuditedResult[]; readonly problems: readonly string[] };

/** Verifies offline every result that runners signed: the signature, what it is about, that it was asked for, and that its key counts. */
export function auditResults(
  events: Iterable<Event>,
  stated: StatedSubject,
  runners: KnownRunners,
  approvers: KnownApprovers,
): ResultsAudit {
  const results: AuditedResult[] = [];
  const nonces = new Set<string>();
  const wanted = new Map<string, Event & { readonly type: "check_wanted" }>();
  const known = "problem" in approvers ? [] : approvers;
  let project: string | undefined;
  for (const event of events) {
    if (event.type === "identified") project = event.project;
    if (event.type === "check_wanted") wanted.set(`${attemptKey(event)} ${event.check}`, event);
    if (event.type !== "checked" || event.result.signed === undefined) continue;
    const { signed } = event.result;
    const asked = wanted.get(`${attemptKey(event)} ${event.result.name}`);
    const trust = trustOfSigned(signed, runners, known, project ?? "");
    const problem = nonces.has(signed.statement.nonce)
      ? "it is recorded twice and counts once"
      : (signatureProblem(event, signed, { ...stated, project }, asked) ??
        ("problem" in trust ? trust.problem : undefined));
    nonces.add(signed.statement.nonce);
    results.push(
      auditedResult(event, signed, { ...defined({ trusted_by: "by" in trust ? trust.by : undefined, problem }) }),
    );
  }
  return {
    results,
    problems: results.flatMap((one) => (one.problem === undefined ? [] : [`${describeResult(one)}: ${one.problem}`])),
  };
}

/** Describes a signed result in one line. */
export function describeResult({
  step,
  attempt,
  check,
  status,
  level,
  runner,
  key,
  commit,
  at,
}: AuditedResult): string {
  const by = runner === undefined ? "the caller's own runner" : `runner ${runner}`;
  const on = commit === null ? "" : `, commit ${commit.slice(0, 12)}`;
  return `${step}, attempt ${attempt}: ${check} ${status}, ${level}, run by ${by} (key ${key.slice(0, 16)}) on ${at.slice(0, 16).replace("T", " ")}${on}`;
}

function auditedResult(
  { workflow, step, pass, attempt, result }: Event & { readonly type: "checked" },
  { statement, level, key, runner }: SignedResult,
  more: Partial<AuditedResult>,
): AuditedResult {
  const { commit, at } = statement;
  const place = { workflow, step, pass, attempt, check: result.name, status: result.status };
  return { ...place, level, ...defined({ runner }), key, commit, at, ...more };
}

/** Finds why a signature does not prove this result in this history. */
function signatureProblem(
  { workflow, step, pass, attempt, result }: Event & { readonly type: "checked" },
  { statement, ...signed }: SignedResult,
  { name, run, first, project }: StatedSubject & { readonly project: string | undefined },
  asked: (Event & { readonly type: "check_wanted" }) | undefined,
): string | undefined {
  if (asked === undefined) return "no runner was asked for it";
  const history = historyNameOf(project, first);
  const place = { run: statedRun({ name, ...defined({ run }) }), workflow, step, pass, attempt };
  const about = { project: history.project, first: history.first ?? null, ...place };
  const part = { wanted: asked.definition, submission: asked.digest, ...defined({ commit: asked.commit }) };
  if (!isSignedText(resultText(statement), signed)) return "its signature is not valid";
  return resultProblem(statement, { ...about, ...part }, result);
}

/** The trust behind a key: an approver's for a runner's at its level, none for a bridge's own. */
function trustOfSigned(
  { runner, key, level }: SignedResult,
  runners: KnownRunners,
  approvers: readonly Approver[],
  project: string,
): { readonly by?: string } | { readonly problem: string } {
  if (runner === undefined)
    return level === "local" ? {} : { problem: "it claims to be independent, and its key belongs to no runner" };
  if ("problem" in runners) return runners;
  const found = runners.find((one) => one.key === key && one.name === runner);
  if (found === undefined) return { problem: "its key belongs to no runner" };
  const trust = trustOf(found, approvers, project);
  if ("problem" in trust) return trust;
  return trust.level === level
    ? { by: trust.by }
    : { problem: `its key is trusted as ${trust.level}, not as ${level}` };
}
