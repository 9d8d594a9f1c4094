import type { CheckResult } from "../evidence/check.ts";
import { isReadyForChecks, type OpenStep } from "../workflow/close-step.ts";
import type { CompleteCommand } from "../workflow/command.ts";
import { type Desk, mergeHandedIn } from "../workflow/desk.ts";
import type { StepRef } from "../workflow/events.ts";
import { eachOnce } from "../workflow/notice.ts";
import type { Outcome } from "../workflow/outcome.ts";
import type { Plan } from "../workflow/workflow.ts";
import type { Calling } from "./caller.ts";
import type { DeskParts } from "./desk-parts.ts";
import type { Content, ContentFile, Proof, StaleProof } from "./ports.ts";
import type { Reply } from "./reply.ts";
import { transact } from "./transact.ts";

/** Carries something out when no other call of the desk is under way. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** How the checks of an open step stand, where everything before them is there; what has to be run is begun. */
export async function lookAtChecks(
  parts: DeskParts,
  inTurn: InTurn,
  caller: Calling,
  open: OpenStep,
  command: CompleteCommand,
): Promise<Pick<CompleteCommand, "checks">> {
  const { ref, step, state } = open;
  const { checks = [] } = step.gate ?? {};
  if (checks.length === 0 || parts.checks === undefined || !isReadyForChecks(command, open)) return {};
  const { content = [] } = mergeHandedIn(state.handed, command.handed);
  const known = async (): Promise<readonly CheckResult[]> => {
    const { desk } = await parts.log.look(parts.id);
    const run = desk.runs.get(ref.workflow);
    const now = run?.pass === ref.pass ? run.steps.get(ref.step) : undefined;
    return now?.attempt === ref.attempt ? (now.checks ?? []) : [];
  };
  const before = async (name: string): Promise<CheckResult | undefined> =>
    lastResult((await parts.log.look(parts.id)).desk, ref, name);
  const record = (result: CheckResult): Promise<void> =>
    inTurn(async () => {
      await transact(parts, caller, { kind: "checked", ref, result });
    });
  const looked = await parts.checks.look({
    id: parts.id,
    ref,
    checks,
    known,
    before,
    startedAt: state.startedAt,
    content,
    handedIn: async (path) => {
      const named = content.filter((one) => one.path === parts.content.nameOf(path));
      return named.length === 0
        ? savedAt(parts.content, path)
        : (await parts.content.read(parts.id, ref, named)).at(-1);
    },
    record,
  });
  return { checks: looked };
}

/** What earlier steps have saved at a path, where content stands in no work tree: whoever looks there finds nothing. */
async function savedAt(content: Content, path: string): Promise<ContentFile | undefined> {
  if (content.isSaved === undefined) return undefined;
  const name = content.nameOf(path);
  const text = await content.stands?.(name);
  return text === undefined
    ? { path: name, isNew: true, problem: "it was not handed in" }
    : { path: name, isNew: false, text };
}

/** What a check came to at an earlier try of a step, else at the step that was completed last with one of its name. */
function lastResult({ runs }: Desk, { workflow, step }: StepRef, name: string): CheckResult | undefined {
  const tried = runs
    .get(workflow)
    ?.steps.get(step)
    ?.failed?.find((one) => one.name === name);
  if (tried !== undefined) return tried;
  const proved = [...runs.values()].flatMap(({ steps }) =>
    [...steps.values()].flatMap(({ checks = [], completion }) => {
      const result = completion === undefined ? undefined : checks.find((one) => one.name === name);
      return result === undefined || completion === undefined ? [] : [{ result, at: completion.at }];
    }),
  );
  return proved.sort((one, other) => (one.at < other.at ? 1 : -1))[0]?.result;
}

/** What the steps of a desk proved, the open one's too, and no longer holds on the files as they are. */
export async function staleProofs({ checks }: DeskParts, plan: Plan, desk: Desk): Promise<readonly StaleProof[]> {
  const proofs = plan.workflows.flatMap(({ name: workflow, steps }) =>
    steps.flatMap(({ name: step, gate }) => {
      const state = desk.runs.get(workflow)?.steps.get(step);
      if (state?.status !== "completed" && state?.status !== "started") return [];
      return (gate?.checks ?? []).flatMap((check): Proof[] => {
        const result = state.checks?.find(({ name, status }) => name === check.name && status === "passed");
        return result === undefined ? [] : [{ workflow, step, check, result }];
      });
    }),
  );
  return proofs.length === 0 || checks === undefined ? [] : checks.stale(proofs);
}

/** Tries until no check is under way any more, or the caller has waited long enough since its call began; calls of others go on meanwhile. */
export async function untilChecked(
  parts: DeskParts,
  caller: Calling,
  attempt: () => Promise<Reply>,
  start = performance.now(),
): Promise<Reply> {
  let reply = await attempt();
  const again = async (before: Reply): Promise<Reply> => {
    const next = await attempt();
    return { ...next, warnings: eachOnce(before.warnings, next.warnings) };
  };
  while (reply.outcome.kind === "checking" && (await hasEnded(parts, caller, reply.outcome, start))) {
    reply = await again(reply);
  }
  // What was seen at first is old by now.
  return reply.outcome.kind === "checking" && performance.now() - start > longAgo ? again(reply) : reply;
}

/** In milliseconds: whoever waited for longer is told how the checks stand now. */
const longAgo = 500;

/** Waits for a check to end, telling the caller now and then; false where it was waited for long enough. */
async function hasEnded(
  { id, checks, definitions, log }: DeskParts,
  caller: Calling,
  { ref, checks: standings }: Outcome & { kind: "checking" },
  start: number,
): Promise<boolean> {
  const { settings } = await definitions.plan(log.look(id));
  const names = standings.filter(({ status }) => status === "running").map(({ name }) => name);
  for (;;) {
    const waited = (performance.now() - start) / 1000;
    const left = (settings.checksWait ?? usualWait) - waited;
    if (checks === undefined || left <= 0) return false;
    caller.progress?.(`Checking ${ref.step}: ${names.join(", ")}`, waited);
    if (await checks.ended(id, Math.min(left, betweenNews) * 1000)) return true;
  }
}

/** How long a completion waits for checks where nobody says, in seconds. */
const usualWait = 20;

/** How often a caller hears that it is still being waited for, in seconds. */
const betweenNews = 5;
