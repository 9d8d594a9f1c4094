import type { Check, CheckResult, CheckStatus } from "../gates/check.ts";
import { sha256 } from "../kit/sha256.ts";
import { isReadyForChecks } from "../workflow/close-step.ts";
import type { CompleteCommand } from "../workflow/command.ts";
import type { OpenStep } from "../workflow/decision-context.ts";
import type { StepRef } from "../workflow/events.ts";
import { mergeWarnings } from "../workflow/notice.ts";
import type { Outcome } from "../workflow/outcome.ts";
import { mergeSubmissions, type StreamSnapshot } from "../workflow/stream-snapshot.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { CallerContext } from "./caller.ts";
import type { EngineDeps } from "./engine-deps.ts";
import type { Proof, StaleProof } from "./ports/checks.ts";
import type { Content, ContentFile } from "./ports/content.ts";
import { historyName } from "./prove-approvals.ts";
import type { Reply } from "./reply.ts";
import { transact } from "./transact.ts";

/** Runs work while no other call of the stream is running. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** Returns the state of an open step's checks and starts those that must run, once everything before them is there. */
export async function startChecks(
  deps: EngineDeps,
  inTurn: InTurn,
  caller: CallerContext,
  open: OpenStep,
  command: CompleteCommand,
): Promise<Pick<CompleteCommand, "checks">> {
  const { ref, gate, state } = open;
  const { checks = [] } = gate ?? {};
  if (checks.length === 0 || deps.checks === undefined || !isReadyForChecks(command, open)) return {};
  const { content = [] } = mergeSubmissions(state.submitted, command.submitted);
  const known = async (): Promise<readonly CheckResult[]> => {
    const { stream } = await deps.log.load(deps.id);
    const run = stream.runs.get(ref.workflow);
    const now = run?.pass === ref.pass ? run.steps.get(ref.step) : undefined;
    return now?.attempt === ref.attempt ? (now.checks ?? []) : [];
  };
  const before = async (name: string): Promise<CheckResult | undefined> =>
    lastResult((await deps.log.load(deps.id)).stream, ref, name);
  const record = (result: CheckResult): Promise<void> =>
    inTurn(async () => {
      await transact(deps, caller, { kind: "checked", ref, result });
    });
  const here = deps.checks.offer === undefined ? checks.filter(({ runner }) => runner === undefined) : checks;
  const looked = await deps.checks.start({
    id: deps.id,
    ref,
    checks: here,
    tree: caller.tree,
    commit: caller.commit,
    historyName: () => historyName(deps.log, deps.id),
    results: known,
    previousResult: before,
    since: state.commit,
    content,
    submittedFile: async (path) => {
      const named = content.filter((one) => one.path === deps.content.normalizePath(path));
      if (named.length > 0) return (await deps.content.read(deps.id, ref, named)).at(-1);
      return (await fileOfEarlierAttempt(deps, ref, path)) ?? savedFileAt(deps.content, path);
    },
    record,
  });
  return { checks: [...looked, ...checks.filter((one) => !here.includes(one)).map(needsTeamServer)] };
}

/** A check that only an independent runner may run cannot pass where there are no runners. */
function needsTeamServer({ name }: Check): CheckStatus {
  const summary = "it needs an independent runner, and only a team server asks one (waymark serve --remote)";
  return { name, status: "failed", definition: "", reads: "", summary };
}

/** Refuses a file that may be an earlier attempt's work, or another run's: this attempt must submit it again. */
async function fileOfEarlierAttempt(deps: EngineDeps, ref: StepRef, written: string): Promise<ContentFile | undefined> {
  const { stream } = await deps.log.load(deps.id);
  const isFirst = ref.attempt === 1 && ref.pass === 1 && (deps.id.run ?? stream.session?.run) === undefined;
  if (isFirst) return undefined;
  const path = deps.content.normalizePath(written);
  const text = await deps.content.currentText?.(path);
  if (text === undefined) return undefined; // nothing there, which the check says
  const hash = sha256(text);
  const counted = [...stream.runs.values()].flatMap(({ steps }) =>
    [...steps.values()].filter(({ status }) => status === "completed"),
  );
  const isOnRecord = counted.some(
    ({ submitted: { content = [] }, checks = [] }) =>
      content.some((one) => one.path === path && one.sha256 === hash) ||
      checks.some(({ status, reads }) => status === "passed" && reads === hash.slice(0, 32)),
  );
  return isOnRecord ? undefined : { path, isNew: false, problem: olderFile };
}

const olderFile = "it was there before this attempt; submit it again as content, with its path alone";

/** The file that earlier steps saved at a path, for stores without a work tree. */
async function savedFileAt(content: Content, path: string): Promise<ContentFile | undefined> {
  if (content.isSaved === undefined) return undefined;
  const name = content.normalizePath(path);
  const text = await content.currentText?.(name);
  return text === undefined
    ? { path: name, isNew: true, problem: "it was not submitted" }
    : { path: name, isNew: false, text };
}

/** The last result of a check: from an earlier try of the step, otherwise from the last completed step that has it. */
function lastResult({ runs }: StreamSnapshot, { workflow, step }: StepRef, name: string): CheckResult | undefined {
  const tried = runs
    .get(workflow)
    ?.steps.get(step)
    ?.failedChecks?.find((one) => one.name === name);
  if (tried !== undefined) return tried;
  const proved = [...runs.values()].flatMap(({ steps }) =>
    [...steps.values()].flatMap(({ checks = [], completion }) => {
      const result = completion === undefined ? undefined : checks.find((one) => one.name === name);
      return result === undefined || completion === undefined ? [] : [{ result, at: completion.at }];
    }),
  );
  return proved.sort((one, other) => (one.at < other.at ? 1 : -1))[0]?.result;
}

/** The proofs of a stream, including the open step's, that no longer hold for the current files. */
export async function staleProofs(
  { checks }: EngineDeps,
  plan: Plan,
  stream: StreamSnapshot,
): Promise<readonly StaleProof[]> {
  const proofs = plan.workflows.flatMap(({ name: workflow, steps }) =>
    steps.flatMap(({ name: step, gate }) => {
      const state = stream.runs.get(workflow)?.steps.get(step);
      if (state?.status !== "completed" && state?.status !== "started") return [];
      return (gate?.checks ?? []).flatMap((check): Proof[] => {
        const result = state.checks?.find(({ name, status }) => name === check.name && status === "passed");
        // What a runner read lies in its own checkout, where this process does not look.
        return result === undefined || result.signed !== undefined ? [] : [{ workflow, step, check, result }];
      });
    }),
  );
  return proofs.length === 0 || checks === undefined ? [] : checks.stale(proofs);
}

/** Retries until no check is running or the caller has waited long enough; other calls run in between. */
export async function retryUntilChecked(
  deps: EngineDeps,
  caller: CallerContext,
  attempt: () => Promise<Reply>,
  start = performance.now(),
): Promise<Reply> {
  let reply = await attempt();
  const again = async (before: Reply): Promise<Reply> => {
    const next = await attempt();
    return { ...next, warnings: mergeWarnings(before.warnings, next.warnings) };
  };
  while (reply.outcome.kind === "checking" && (await waitForCheck(deps, caller, reply.outcome, start))) {
    reply = await again(reply);
  }
  // the first result is old by now
  return reply.outcome.kind === "checking" && performance.now() - start > refreshAfterMs ? again(reply) : reply;
}

/** A caller that waited longer than this many milliseconds gets the current state of the checks. */
const refreshAfterMs = 500;

/** Waits for a check to end and reports progress; false once the caller has waited long enough. */
async function waitForCheck(
  { id, checks, definitions, log }: EngineDeps,
  caller: CallerContext,
  { ref, checks: statuses }: Outcome & { kind: "checking" },
  start: number,
): Promise<boolean> {
  const { settings } = await definitions.plan(log.load(id));
  const names = statuses.filter(({ status }) => status === "running").map(({ name }) => name);
  for (;;) {
    const waited = (performance.now() - start) / 1000;
    const left = (settings.checksWait ?? defaultWaitSeconds) - waited;
    if (checks === undefined || left <= 0 || caller.stop?.aborted === true) return false;
    caller.progress?.(`Checking ${ref.step}: ${names.join(", ")}`, waited);
    if (await checks.waitForEnd(id, Math.min(left, progressIntervalSeconds) * 1000)) return true;
  }
}

/** The default wait for checks, in seconds. */
const defaultWaitSeconds = 20;

/** The interval of progress reports, in seconds. */
const progressIntervalSeconds = 5;
