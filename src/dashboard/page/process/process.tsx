import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { countText } from "../../../kit/count-text.ts";
import type { ProcessData, ProcessMap, ProcessStep } from "../../api/process-data.ts";
import { durationText } from "../../overview/duration-text.ts";
import { href, type StepLocation } from "../board/location.ts";
import { useResource } from "../live/use-resource.ts";
import { shortLabel } from "../run/short-label.ts";
import { LoadingOrError, Notice } from "../shared/frame.tsx";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";
import { Findings } from "./findings.tsx";
import { Standards } from "./standards.tsx";
import { StepStatistics } from "./step-statistics.tsx";

/** The process view: each definition's map with first-pass rates and durations. */
export function Process({ at }: { readonly at: StepLocation | undefined }): VNode {
  const { answer } = useResource<ProcessData>("process", ({ type }) => type === "process" || type === "run", 3000);
  if (answer === undefined || "no" in answer) return <LoadingOrError answered={answer} />;
  const { workflows, runs, findings } = answer.data;
  return (
    <div class="view">
      <div class="title">
        <h1>Process</h1>
        <p class="sentence">
          {countText(workflows.length, "definition")}, {runs.toLocaleString("en")} {runs === 1 ? "run" : "runs"}. From
          three submissions on, a gate's color shows how often it passes on the first try.
        </p>
      </div>
      <Standards />
      {workflows.length === 0 ? (
        <Notice tone="plain" title="No definitions yet">
          <p>
            <code>waymark init --template story-bot</code> creates one; docs/authoring.md shows how to write your own.
          </p>
        </Notice>
      ) : null}
      {[...workflows.filter(isUsed)].sort(byRunCount).map((map) => (
        <Definition key={map.workflow} map={map} at={at?.workflow === map.workflow ? at : undefined} />
      ))}
      <UnusedDefinitions maps={workflows.filter((map) => !isUsed(map))} />
      {findings === undefined ? null : <Findings findings={findings} />}
    </div>
  );
}

/** Sorts the most used definition first. */
function byRunCount(one: ProcessMap, other: ProcessMap): number {
  return other.walks - one.walks;
}

function isUsed({ walks }: ProcessMap): boolean {
  return walks > 0;
}

/** The definitions that have not been used yet. */
function UnusedDefinitions({ maps }: { readonly maps: readonly ProcessMap[] }): VNode | null {
  if (maps.length === 0) return null;
  return (
    <section class="card">
      <h2>Not used yet</h2>
      <ul class="rows">
        {maps.map(({ workflow, steps }) => (
          <li key={workflow}>
            <strong>
              <UntrustedLine text={workflow} most={80} />
            </strong>
            <span class="quiet">{countText(steps.length, "step")}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Definition({ map, at }: { readonly map: ProcessMap; readonly at: StepLocation | undefined }): VNode {
  const step = map.steps.find((one) => one.step === at?.step);
  const place = useRef<HTMLElement>(null);
  // An address with a step scrolls to it.
  useEffect(() => {
    if (at !== undefined) place.current?.scrollIntoView({ block: "nearest" });
  }, [at?.step]);
  return (
    <section ref={place} class="card definition" aria-label={`Definition ${map.workflow.slice(0, 80)}`}>
      <div class="card-head">
        <h2>
          <UntrustedLine text={map.workflow} most={80} />
        </h2>
        <p class="quiet">{runCountText(map)}</p>
      </div>
      <ol class="process-map">
        {map.steps.map((one) => (
          <Step key={one.step} one={one} workflow={map.workflow} isChosen={one === step} />
        ))}
      </ol>
      {step === undefined ? null : <StepStatistics step={step} workflow={map.workflow} />}
    </section>
  );
}

function runCountText({ walks, finished, outOfTurn, refusals }: ProcessMap): string {
  const refused = refusals.reduce((sum, { times }) => sum + times, 0);
  return [
    countText(walks, "run"),
    `${finished} finished`,
    ...(refused > 0 ? [countText(refused, "refusal")] : []),
    ...(outOfTurn > 0 ? [`${outOfTurn} out of turn`] : []),
  ].join(" · ");
}

function Step({
  one,
  workflow,
  isChosen,
}: {
  readonly one: ProcessStep;
  readonly workflow: string;
  readonly isChosen: boolean;
}): VNode {
  const { passed, of } = one.firstPass;
  const rate = of === 0 ? undefined : passed / of;
  const name = shortLabel(one.label, workflow);
  return (
    <li>
      <a
        class={`process-step ${rateClass(rate, of)}`}
        data-row
        href={href({ view: "process", ...(isChosen ? {} : { at: { workflow, step: one.step } }) })}
        aria-current={isChosen ? "true" : undefined}
      >
        <span class="name">
          <UntrustedText text={/^\d+$/.test(one.step) && !/\d$/.test(name) ? `${one.step} ${name}` : name} most={48} />
        </span>
        <span class="rate">
          {rate === undefined ? "–" : of < minSubmissions ? `${passed} of ${of}` : `${Math.round(rate * 100)} %`}
        </span>
        <svg class="rate-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect class="all" width={100} height={4} />
          <rect class="part" width={100 * (rate ?? 0)} height={4} />
        </svg>
        <span class="note">
          {one.work.median === null ? "no data yet" : durationText(one.work.median)}
          {one.waits.times > 0 && one.waits.median !== null ? (
            <span class="waited"> · waiting {durationText(one.waits.median)}</span>
          ) : null}
        </span>
        <span class="aloud">
          {rate === undefined ? "no data yet" : `${passed} of ${of} submissions passed on the first try`}
        </span>
      </a>
    </li>
  );
}

/** The number of submissions below which a gate gets no colour. */
const minSubmissions = 3;

function rateClass(rate: number | undefined, of: number): string {
  if (rate === undefined) return "unknown";
  if (of < minSubmissions) return "few";
  return rate >= 0.8 ? "good" : rate >= 0.5 ? "warn" : "bad";
}
