import type { Mapped } from "../engine/standing.ts";
import { waitsForWhom } from "../words/approval.ts";
import type { Pictured, PicturedStep } from "./picture.ts";
import { sentenceOf } from "./sentence.ts";
import { stepLabel } from "./step-label.ts";
import { signOf, summaryOf } from "./summary.ts";
import type { WalkedAttempt } from "./walk.ts";

/** A run as its picture shows it, or only one of its workflows; undefined where nothing has begun there. */
export function pictured(
  mapped: Mapped,
  attempts: readonly WalkedAttempt[],
  only: string | undefined,
  now: Date,
): Pictured | undefined {
  const { id, seen, head } = mapped;
  const workflows = mapped.workflows.filter(({ workflow }) => (only ?? workflow) === workflow);
  const summary = summaryOf({ ...mapped, workflows }, now);
  if (summary === undefined || workflows.length === 0) return undefined;
  const { at } = summary;
  const label = at === null ? undefined : stepLabel(id.kind, at);
  const waitingFor = at?.waitingFor && waitsForWhom(at.waitingFor.needs, at.waitingFor.given);
  const isOne = workflows.length === 1;
  const own = attempts.filter(({ workflow }) => workflows.some((one) => one.workflow === workflow));
  const lanes = workflows.flatMap(({ workflow, steps }) => {
    const here = own.filter((one) => one.workflow === workflow);
    if (!isOne) return [{ name: workflow, attempts: here }];
    return steps.map(({ step, title }) => ({
      name: nameIn(id.kind, step, title),
      attempts: here.filter((one) => one.step === step),
    }));
  });
  return {
    title: titleOf(mapped, only),
    sentence: sentenceOf(summary, { label, waitingFor }, now),
    map: workflows.map(({ workflow, steps }) => ({
      name: workflow,
      steps: steps.map((step): PicturedStep => ({ name: nameIn(id.kind, step.step, step.title), sign: signOf(step) })),
    })),
    lanes: lanes.filter((lane) => lane.attempts.length > 0),
    records: seen,
    head,
  };
}

function titleOf({ id, desk }: Mapped, only: string | undefined): string {
  const { session } = desk;
  if (session !== null) return session.target === null ? session.workflow : `${session.workflow}: ${session.target}`;
  const name = only === undefined ? id.name : `${id.name}.${only}`;
  return id.run === undefined ? name : `${name} (run ${id.run})`;
}

function nameIn(kind: Mapped["id"]["kind"], step: string, title: string | undefined): string {
  if (kind === "bot") return step.replaceAll("_", " ");
  return title === undefined ? `Phase ${step}` : `${step} ${title}`;
}
