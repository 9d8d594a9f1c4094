import type { Engine } from "../../engine/engine.ts";
import type { StaleProof } from "../../engine/ports.ts";
import type { WorkflowStanding } from "../../engine/standing.ts";
import { secondsFrom } from "../../overview/figures.ts";
import { sentenceOf } from "../../overview/sentence.ts";
import { signOf, summaryOf } from "../../overview/summary.ts";
import type { WalkedAttempt } from "../../overview/walk.ts";
import { saidInWords } from "../../words/notices.ts";
import { shownAttempts } from "./attempts.ts";
import type { ChainState, MapRow, MapStep, RunData } from "./board-data.ts";
import { line } from "./cut.ts";
import type { Looked } from "./desks.ts";
import { labelOf, missingLines, rowOf, whomOf } from "./rows.ts";

/** What the page of a run is made of. */
export type RunParts = {
  readonly looked: Looked;
  readonly engine: Engine | undefined;
  readonly walked: readonly WalkedAttempt[];
  readonly stale: readonly StaleProof[];
  readonly chain: ChainState;
  readonly problems: readonly string[];
  readonly now: Date;
};

/** One run, whole but for its records; undefined where nothing has begun yet. */
export async function runData(parts: RunParts): Promise<RunData | undefined> {
  const { looked, engine, walked, chain, problems, now } = parts;
  const row = rowOf(looked, now);
  const summary = summaryOf(looked, now);
  if (row === undefined || summary === undefined) return undefined;
  const { attempts, leftOut } = shownAttempts(looked.id, looked.plan, walked);
  const standing = await engine?.standing();
  const said = standing === undefined ? [goneText] : saidInWords(standing.warnings, standing.id);
  return {
    row,
    sentence: line(sentenceOf(summary, { label: row.now?.label, waitingFor: row.now?.waitingFor }, now), 400),
    workflows: looked.workflows.map((one) => mapRow(one, parts)),
    attempts,
    attemptsLeftOut: leftOut,
    chain,
    warnings: [...new Set([...problems, ...said.map((one) => line(one, 600))])].slice(0, 30),
  };
}

const goneText = "What this run was walked by is no longer defined: only its history is shown.";

function mapRow({ workflow, pass, finished, steps }: WorkflowStanding, parts: RunParts): MapRow {
  const { looked, walked, stale } = parts;
  const { kind } = looked.id;
  const own = walked.filter((one) => one.workflow === workflow && one.pass === pass);
  return {
    ...{ workflow: line(workflow), pass, finished },
    steps: steps.map((step): MapStep => {
      const attempts = own.filter((one) => one.step === step.step);
      const handIns = attempts.flatMap((one) => one.handIns);
      const done = attempts.findLast(({ state }) => state === "completed");
      const whom = whomOf(step);
      const unproved = stale.filter(({ proof }) => proof.workflow === workflow && proof.step === step.step);
      return {
        step: step.step,
        label: kind === "bot" ? line(step.step) : labelOf(kind, { workflow, step: step.step, title: step.title }),
        sign: signOf(step),
        ...(step.since === undefined ? {} : { since: step.since }),
        ...(done === undefined ? {} : { work: workOf(done) }),
        handIns: handIns.length,
        refused: handIns.filter(({ outcome }) => outcome === "refused").length,
        ...(unproved.length === 0 ? {} : { stale: unproved.map(staleOf) }),
        ...(step.missing === undefined ? {} : { missing: missingLines(step.missing, 20) }),
        ...(step.sameGaps === undefined ? {} : { sameGaps: step.sameGaps }),
        ...(whom === undefined ? {} : { waitingFor: whom }),
      };
    }),
  };
}

/** How long it was worked at, without the time that people were waited for. */
function workOf({ startedAt, endedAt = startedAt, waits }: WalkedAttempt): number {
  const waited = waits.reduce((sum, { from, to = from }) => sum + secondsFrom(from, to), 0);
  return Math.max(0, secondsFrom(startedAt, endedAt) - waited);
}

function staleOf({ proof, files }: StaleProof): { readonly check: string; readonly paths: readonly string[] } {
  return { check: line(proof.check.name, 80), paths: files.slice(0, 5).map((path) => line(path, 240)) };
}
