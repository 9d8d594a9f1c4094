import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { eventsByAttempt } from "../../audit/attempt-events.ts";
import type { AuditedArea } from "../../audit/audit-streams.ts";
import { compareText } from "../../dashboard/overview/by-need.ts";
import { type NamedSession, shortName } from "../../dashboard/overview/short-name.ts";
import { submissionContext } from "../../dashboard/overview/submission-context.ts";
import type { Engine } from "../../engine/engine.ts";
import type { StaleProof } from "../../engine/ports/checks.ts";
import type { SubmissionReview } from "../../engine/submissions.ts";
import type { Gate } from "../../gates/gate.ts";
import { waivableNames } from "../../gates/waiver.ts";
import { defined } from "../../kit/defined.ts";
import { runArgument } from "../../messages/approval-texts.ts";
import { runLabel, stepTitle } from "../../messages/stream-words.ts";
import type { StepRef } from "../../workflow/events.ts";
import { droppableItems } from "../../workflow/items.ts";
import { attemptKey } from "../../workflow/step-ref.ts";
import { isOpen } from "../../workflow/stream-snapshot.ts";
import type { Plan } from "../../workflow/workflow.ts";
import { oneLine, print, printJson } from "../terminal/print.ts";
import { UserError } from "../terminal/user-error.ts";
import {
  openBots,
  type PlaceOptions,
  parseRunName,
  requireProject,
  workplaceFor,
} from "../terminal/workplace-options.ts";
import { fullRunName } from "../work/find-session.ts";
import { staleLine } from "../work/stale-lines.ts";
import {
  answerCommandLines,
  type NamedSubmission,
  runName,
  showSubmission,
  submissionLines,
} from "./show-submission.ts";

export type ShowOptions = PlaceOptions & { readonly run?: string; readonly json?: true };

/** Prints what is waiting for approval, or the latest submission of a named run. */
export async function show(asked: string | undefined, options: ShowOptions): Promise<void> {
  const workplace = workplaceFor(options);
  await requireProject(workplace, options);
  const run = await fullRunName(workplace, asked);
  const all = await findSubmissions(workplace, run, options.run);
  const named = run === undefined ? all : all.filter(({ name }) => name === run);
  if (run !== undefined && named.length === 0) throw await nothingSubmittedError(workplace, run, all);
  const waiting = named.filter(({ submission }) => submission.state.waiting !== undefined || isBlocked(submission));
  waiting.sort(
    (a, b) => Number(isBlocked(b.submission)) - Number(isBlocked(a.submission)) || compareText(since(a), since(b)),
  );
  const chosen = waiting.length > 0 || run === undefined ? waiting : named;
  // a person who typed a target or the beginning of an id can go on typing that
  const argument = asked === undefined || asked === run ? {} : { argument: asked };
  const shown = chosen.map((one) => showSubmission({ ...one, ...argument }));
  if (options.json) return printJson(shown.map(({ forPeople: _, ...data }) => data));
  if (shown.length === 0)
    return print(
      ...(untrustedLines(named) ?? ["Nothing is waiting for you."]),
      ...latestSubmissionLines(all),
      ...otherStaleLines(named, []),
    );
  for (const [at, one] of shown.entries())
    print(...(at === 0 ? [] : [""]), ...submissionLines(one), ...answerCommandLines(one));
  print(...otherStaleLines(named, chosen));
}

/** Tells if a submission is of a step that was reported as blocked. */
export function isBlocked({ state }: SubmissionReview): boolean {
  return isOpen(state) && state.blocked !== undefined;
}

/** Lists stale checks of other steps in the runs shown. */
function otherStaleLines(named: readonly NamedSubmission[], chosen: readonly NamedSubmission[]): string[] {
  const runs = new Map(named.map((one) => [one.argument, one]));
  const isShown = ({ proof }: StaleProof): boolean =>
    chosen.some(({ submission: { ref } }) => ref.workflow === proof.workflow && ref.step === proof.step);
  return [...runs.values()].flatMap((one) =>
    one.staleInRun
      .filter((proof) => !isShown(proof))
      .map(({ proof: { step, check }, files }) =>
        staleLine(`${one.argument}, ${step}`, { check: check.name, files: files.slice(0, 3) }),
      ),
  );
}

/** Finds the latest submissions of the named run or behavior, or of all. */
export async function findSubmissions(
  workplace: OpenedWorkplace,
  asked: string | undefined,
  run: string | undefined,
): Promise<readonly NamedSubmission[]> {
  const engines = await enginesFor(workplace, asked, parseRunName(run));
  const all = asked === undefined ? await workplace.sessions.all() : [];
  const sessions = all.map(({ engine, stream }) => ({ name: engine.id.name, target: stream.session?.target ?? null }));
  return submissionsOf(engines, await workplace.logs(), sessions);
}

/** Opens the engines of the named run or behavior, or of all. */
async function enginesFor(
  workplace: OpenedWorkplace,
  asked: string | undefined,
  run: string | undefined,
): Promise<readonly Engine[]> {
  const { sessions } = workplace;
  const session = asked === undefined ? undefined : await sessions.find(asked);
  if (session !== undefined) return [session];
  const { bots } = await workplace.bots();
  if (run !== undefined || asked !== undefined)
    return bots.length === 0 && run === undefined
      ? []
      : (await openBots(workplace, { root: "", ...defined({ run }) })).map(({ engine }) => engine);
  const served = await Promise.all(
    bots.map(async ({ name }) =>
      Promise.all([undefined, ...(await workplace.runs(name))].map((one) => workplace.engine(name, one))),
    ),
  );
  const open = (await sessions.all()).filter(({ stream }) => stream.archivedAt === null);
  const streams = [...open.map(({ stream }) => stream), ...(await Promise.all(served.flat().map((one) => one.peek())))];
  const items = (await Promise.all(streams.map((stream) => sessions.openItems(stream)))).flat();
  return [...served.flat(), ...[...open, ...items].map((one) => one.engine)];
}

async function submissionsOf(
  engines: readonly Engine[],
  areas: readonly AuditedArea[],
  sessions: readonly NamedSession[],
): Promise<NamedSubmission[]> {
  const found = await Promise.all(
    engines.map(async (engine) => {
      const submissions = await engine.submissions();
      if (submissions.length === 0) return [];
      const [stale, mapped] = [await engine.staleProofs(), await engine.overview()];
      const recorded = await eventsByAttempt(
        areas,
        engine.id,
        submissions.map(({ ref }) => ref),
      );
      const known = sessions.find(({ name }) => name === engine.id.name);
      return submissions.map((submission) => {
        const { ref } = submission;
        const about = submissionContext(mapped, ref);
        const staleInRun = stale.filter(({ proof }) => proof.workflow === ref.workflow);
        return {
          ...{ submission, about, engine, staleInRun, run: engine.id.run },
          name: runLabel(engine.id, ref.workflow),
          argument: known === undefined ? runArgument(engine.id, ref) : shortName(known, sessions),
          title: stepTitle(engine.id, { step: ref.step, title: about.title }),
          waivable: [...droppableItems(submission.state), ...waivableNames(gateOf(mapped.plan, ref))],
          outcomes: outcomesOf(mapped.plan, ref),
          events: recorded.get(attemptKey(ref)) ?? [],
          stale: staleInRun.filter(({ proof }) => proof.step === ref.step),
        };
      });
    }),
  );
  return found.flat();
}

/** The outcomes with which a person can end a run. */
function outcomesOf({ workflows }: Plan, { workflow }: StepRef): readonly string[] {
  return (workflows.find(({ name }) => name === workflow)?.outcomes ?? []).filter((one) => one !== "done");
}

function gateOf({ workflows }: Plan, { workflow, step }: StepRef): Gate | undefined {
  return workflows.find(({ name }) => name === workflow)?.steps.find(({ name }) => name === step)?.gate;
}

/** Names the open steps that were refused because no one trusted a command; undefined if there is none. */
function untrustedLines(all: readonly NamedSubmission[]): readonly string[] | undefined {
  const untrusted = all.filter(({ submission: { state } }) => isOpen(state) && state.refusedCode === "check_untrusted");
  if (untrusted.length === 0) return undefined;
  return untrusted.map(
    (one) =>
      `${oneLine(one.title)} of ${runName(one)} was refused: its check runs a command that was not trusted on this machine. Review it with waymark trust, then tell the assistant to go on.`,
  );
}

/** Points to the latest submission when nothing is waiting. */
function latestSubmissionLines(all: readonly NamedSubmission[]): string[] {
  const newest = [...all].sort((a, b) => (submittedAt(a) < submittedAt(b) ? -1 : 1)).at(-1);
  return newest === undefined
    ? []
    : [`Last submitted: ${oneLine(newest.title)} of ${runName(newest)}. See it with waymark show ${newest.argument}.`];
}

function since({ submission: { state } }: NamedSubmission): string {
  return state.blocked?.since ?? state.waiting?.since ?? "";
}

function submittedAt({ submission: { state } }: NamedSubmission): string {
  return state.completion?.at ?? state.startedAt;
}

async function nothingSubmittedError(
  workplace: OpenedWorkplace,
  run: string,
  all: readonly NamedSubmission[],
): Promise<UserError> {
  const behaviors = (await workplace.bots()).bots.flatMap((bot) =>
    bot.behaviors.map(({ name }) => `${bot.name}.${name}`),
  );
  if (behaviors.includes(run) || (await workplace.sessions.find(run)) !== undefined)
    return new UserError(`Nothing has been submitted for ${run} yet.`);
  const known = all.map(({ argument }) => argument).join(", ");
  return new UserError(
    `There is no run ${run} here.${known === "" ? "" : ` Runs: ${known}.`} List sessions with waymark status.`,
  );
}
