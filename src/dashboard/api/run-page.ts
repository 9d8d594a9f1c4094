import type { Engine } from "../../engine/engine.ts";
import type { StaleProof } from "../../engine/ports/checks.ts";
import { type ItemStatus, itemStatuses, type WorkflowStatus } from "../../engine/run-status.ts";
import { defined } from "../../kit/defined.ts";
import { continuePrompt, runArgument } from "../../messages/approval-texts.ts";
import { warningTexts } from "../../messages/notices.ts";
import { stepTitle } from "../../messages/stream-words.ts";
import type { StepState } from "../../workflow/stream-snapshot.ts";
import { cutLine } from "../overview/cut-values.ts";
import { countEvidence } from "../overview/evidence.ts";
import { secondsApart } from "../overview/figures.ts";
import { runKey } from "../overview/run-key.ts";
import { currentStepOf, type PlacedStep, runRow, stepSign } from "../overview/run-row.ts";
import { type NamedSession, shortName } from "../overview/short-name.ts";
import { statusSentence } from "../overview/status-sentence.ts";
import type { WalkedAttempt } from "../overview/walk.ts";
import { shownAttempts } from "./attempts.ts";
import type { ChainState, MapItem, MapRow, MapStep, RunData, StepHelp } from "./board-data.ts";
import type { RunState } from "./board-runs.ts";

/** The parts of a run's page. */
export type RunPageParts = {
  readonly looked: RunState;
  readonly engine: Engine | undefined;
  readonly walked: readonly WalkedAttempt[];
  readonly stale: readonly StaleProof[];
  readonly chain: ChainState;
  readonly problems: readonly string[];
  readonly now: Date;
  /** The sessions that a short name must tell apart; undefined while not all are known. */
  readonly sessions: readonly NamedSession[] | undefined;
  /** The strip of the session of an item, by its key. */
  readonly stripOf: (key: string) => string | undefined;
};

/** Builds the data of one run without its records, or undefined if it has not started. */
export async function loadRunPage(parts: RunPageParts): Promise<RunData | undefined> {
  const { looked, engine, walked, chain, problems, now } = parts;
  const row = runRow(looked, now);
  if (row === undefined) return undefined;
  const { attempts, leftOut } = shownAttempts(looked.id, looked.plan, walked);
  const at = currentStepOf(looked);
  const status = await engine?.status();
  const said = status === undefined ? [definitionGoneText] : warningTexts(status.warnings, status.id);
  return {
    row,
    sentence: cutLine(statusSentence(row, now), 400),
    workflows: looked.workflows.map((one) => mapRow(one, parts)),
    attempts,
    attemptsLeftOut: leftOut,
    chain,
    ...(at === undefined || row.now === undefined ? {} : { help: helpFor(parts, at) }),
    warnings: [...new Set([...problems, ...said.map((one) => cutLine(one, 600))])].slice(0, 30),
  };
}

/** Lists what a person can do about the current step. */
function helpFor({ looked: { id, plan }, sessions }: RunPageParts, at: PlacedStep): StepHelp {
  const session = id.kind === "session" ? sessions?.find(({ name }) => name === id.name) : undefined;
  const run = session === undefined ? runArgument(id, at) : shortName(session, sessions ?? []);
  const waive = { what: "Waive what cannot be met", command: `waymark waive ${run} FIELD --reason "WHY"` };
  const outcomes = plan?.workflows.find(({ name }) => name === at.workflow)?.outcomes ?? [];
  const ends = outcomes.filter((outcome) => outcome !== "done").slice(0, 5);
  const back =
    id.kind === "session"
      ? `waymark back --session ${run} PHASE`
      : `waymark back ${id.name}.${at.workflow}.ACTION${id.run === undefined ? "" : ` --run ${id.run}`}`;
  return {
    prompt: `${continuePrompt(id, at)}${at.blocked === undefined ? " If the step cannot be done as asked, report it as blocked." : ""}`,
    commands: [
      ...(at.blocked === undefined ? [] : [{ what: "Answer", command: `waymark answer ${run} "TEXT"` }]),
      ...(at.state === "started" ? [waive] : []),
      { what: "Go back to an earlier step", command: back },
      ...(ends.length === 0
        ? []
        : [
            {
              what: `End it as ${ends.join(" or ")}`,
              command: `waymark end ${run} ${ends.length === 1 ? ends[0] : "OUTCOME"}`,
            },
          ]),
      { what: "Put the run away", command: `waymark archive ${run}` },
    ].map(({ what, command }) => ({ what: cutLine(what, 200), command: cutLine(command, 300) })),
  };
}

const definitionGoneText = "The definition of this run no longer exists; only its history is shown.";

function mapRow({ workflow, pass, finished, steps }: WorkflowStatus, parts: RunPageParts): MapRow {
  const { looked, walked, stale, stripOf } = parts;
  const items = itemStatuses(looked.stream).filter((one) => one.workflow === workflow);
  const own = walked.filter((one) => one.workflow === workflow && one.pass === pass);
  return {
    ...{ workflow: cutLine(workflow), pass, finished },
    steps: steps.map((step): MapStep => {
      const attempts = own.filter((one) => one.step === step.step);
      const submissions = attempts.flatMap((one) => one.handIns);
      const done = attempts.findLast(({ state }) => state === "completed");
      const unproved = stale.filter(({ proof }) => proof.workflow === workflow && proof.step === step.step);
      return {
        step: step.step,
        label: cutLine(stepTitle(looked.id, step)),
        sign: stepSign(step),
        ...defined({ since: step.since }),
        ...(done === undefined ? {} : { work: workSeconds(done) }),
        handIns: submissions.length,
        ...defined({ evidence: evidenceOf(looked.stream.runs.get(workflow)?.steps.get(step.step)) }),
        refused: submissions.filter(({ outcome }) => outcome === "refused").length,
        ...(unproved.length === 0 ? {} : { stale: unproved.map(staleOfStep) }),
        ...defined({ round: step.round, cameBackFrom: step.cameBackFrom }),
        ...(step.state === "passed_over" ? { passedOver: true as const } : {}),
        ...defined({ items: mapItems(items.find((one) => one.step === step.step)?.items, stripOf) }),
      };
    }),
  };
}

function evidenceOf(state: StepState | undefined): MapStep["evidence"] | undefined {
  if (state === undefined || (state.status !== "completed" && state.status !== "started")) return undefined;
  const counts = countEvidence(state);
  return Object.values(counts).some((count) => count > 0) ? counts : undefined;
}

/** The most items of a step that a page shows. */
const maxItemsShown = 500;

function mapItems(
  items: readonly ItemStatus[] | undefined,
  stripOf: RunPageParts["stripOf"],
): MapStep["items"] | undefined {
  if (items === undefined) return undefined;
  const shown = items.slice(0, maxItemsShown).map(({ item, title, state, outcome, session }): MapItem => {
    const key = session === undefined ? undefined : runKey({ kind: "session", name: session });
    const signs = (state === "open" && key !== undefined ? stripOf(key) : undefined) ?? itemSigns[state];
    return {
      item: cutLine(item, 60),
      title: cutLine(title, 120),
      state,
      signs: signs.slice(0, 60),
      ...defined({ outcome, key }),
    };
  });
  return { total: items.length, shown };
}

const itemSigns: Readonly<Record<ItemStatus["state"], string>> = {
  waiting: ".",
  open: "o",
  settled: "d",
  dropped: "k",
  failed: "s",
};

/** Computes the work time without waiting for people. */
function workSeconds({ startedAt, endedAt = startedAt, waits }: WalkedAttempt): number {
  const waited = waits.reduce((sum, { from, to = from }) => sum + secondsApart(from, to), 0);
  return Math.max(0, secondsApart(startedAt, endedAt) - waited);
}

function staleOfStep({ proof, files }: StaleProof): { readonly check: string; readonly paths: readonly string[] } {
  return { check: cutLine(proof.check.name, 80), paths: files.slice(0, 5).map((path) => cutLine(path, 240)) };
}
