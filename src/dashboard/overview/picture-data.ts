import type { StepStatus, StreamOverview } from "../../engine/run-status.ts";
import { stepTitle } from "../../messages/stream-words.ts";
import type { PictureData, PicturedStep } from "./picture.ts";
import { runRow, stepSign } from "./run-row.ts";
import { statusSentence } from "./status-sentence.ts";
import type { WalkedAttempt } from "./walk.ts";

/** The picture of a run, or of one of its workflows; undefined if nothing has started there. */
export function pictureData(
  mapped: StreamOverview,
  attempts: readonly WalkedAttempt[],
  only: string | undefined,
  now: Date,
): PictureData | undefined {
  const { id, seen, head } = mapped;
  const workflows = mapped.workflows.filter(({ workflow }) => (only ?? workflow) === workflow);
  const row = runRow({ ...mapped, workflows }, now);
  if (row === undefined || workflows.length === 0) return undefined;
  const isOne = workflows.length === 1;
  const own = attempts.filter(({ workflow }) => workflows.some((one) => one.workflow === workflow));
  const lanes = workflows.flatMap(({ workflow, steps }) => {
    const here = own.filter((one) => one.workflow === workflow);
    if (!isOne) return [{ name: workflow, attempts: here }];
    return steps.map(({ step, title }) => ({
      name: stepName(id, step, title),
      attempts: here.filter((one) => one.step === step),
    }));
  });
  return {
    title: pictureTitle(mapped, only),
    sentence: statusSentence(row, now),
    evidence: row.evidence,
    map: workflows.map(({ workflow, steps }) => ({
      name: workflow,
      steps: steps.map(
        (step): PicturedStep => ({ name: roundName(stepName(id, step.step, step.title), step), sign: stepSign(step) }),
      ),
    })),
    lanes: lanes.filter((lane) => lane.attempts.length > 0),
    records: seen,
    head,
  };
}

/** The name of a step, with its round from the second on and where that came from, or that it was passed over. */
function roundName(name: string, { round, cameBackFrom, state }: StepStatus): string {
  if (state === "passed_over") return `${name}, passed over`;
  const back = cameBackFrom === undefined ? "" : `, back from ${cameBackFrom}`;
  return round === undefined ? name : `${name}, round ${round}${back}`;
}

function pictureTitle({ id, stream }: StreamOverview, only: string | undefined): string {
  const { session } = stream;
  if (session !== null) return session.target === null ? session.workflow : `${session.workflow}: ${session.target}`;
  const name = only === undefined ? id.name : `${id.name}.${only}`;
  return id.run === undefined ? name : `${name} (run ${id.run})`;
}

function stepName(id: StreamOverview["id"], step: string, title: string | undefined): string {
  return title === undefined ? stepTitle(id, { step }).replaceAll("_", " ") : `${step} ${title}`;
}
