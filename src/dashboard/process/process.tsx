import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ProcessData, ProcessMap, ProcessStep } from "../../http/board/board-data.ts";
import { href, type StepPlace } from "../board/place.ts";
import { useAsked } from "../live/use-asked.ts";
import { shortLabel } from "../run/step-name.ts";
import { Missing, Notice } from "../shared/frame.tsx";
import { lasting } from "../shared/moment.tsx";
import { OutsideLine } from "../shared/outside-text.tsx";
import { Figures } from "./figures.tsx";
import { Findings } from "./findings.tsx";
import { Standards } from "./standards.tsx";

/** How the process does: each definition's map with how often a gate is passed at once, and how long its steps take. */
export function Process({ at }: { readonly at: StepPlace | undefined }): VNode {
  const { answered } = useAsked<ProcessData>("process", ({ type }) => type === "process" || type === "run", 3000);
  if (answered === undefined || "no" in answered) return <Missing answered={answered} />;
  const { workflows, runs, findings } = answered.data;
  return (
    <div class="view">
      <div class="title">
        <h1>Process</h1>
        <p class="sentence">
          {workflows.length} {workflows.length === 1 ? "definition" : "definitions"}, over {runs.toLocaleString("en")}{" "}
          {runs === 1 ? "run" : "runs"}. A gate's colour says how often it is passed at once, after three hand-ins.
        </p>
      </div>
      <Standards />
      {workflows.length === 0 ? (
        <Notice tone="plain" title="No definition yet">
          <p>
            <code>waymark init --template story-bot</code> brings one; docs/authoring.md says how to write your own.
          </p>
        </Notice>
      ) : null}
      {[...workflows.filter(isWalked)].sort(byWalks).map((map) => (
        <Definition key={map.workflow} map={map} at={at?.workflow === map.workflow ? at : undefined} />
      ))}
      <Unwalked maps={workflows.filter((map) => !isWalked(map))} />
      {findings === undefined ? null : <Findings findings={findings} />}
    </div>
  );
}

/** What is walked most comes first. */
function byWalks(one: ProcessMap, other: ProcessMap): number {
  return other.walks - one.walks;
}

function isWalked({ walks }: ProcessMap): boolean {
  return walks > 0;
}

/** Definitions of which there is nothing to tell yet. */
function Unwalked({ maps }: { readonly maps: readonly ProcessMap[] }): VNode | null {
  if (maps.length === 0) return null;
  return (
    <section class="card">
      <h2>Not walked yet</h2>
      <ul class="rows">
        {maps.map(({ workflow, steps }) => (
          <li key={workflow}>
            <strong>
              <OutsideLine text={workflow} most={80} />
            </strong>
            <span class="quiet">
              {steps.length} {steps.length === 1 ? "step" : "steps"}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Definition({ map, at }: { readonly map: ProcessMap; readonly at: StepPlace | undefined }): VNode {
  const step = map.steps.find((one) => one.step === at?.step);
  const place = useRef<HTMLElement>(null);
  // An address that names a step leads to it.
  useEffect(() => {
    if (at !== undefined) place.current?.scrollIntoView({ block: "nearest" });
  }, [at?.step]);
  return (
    <section ref={place} class="card definition" aria-label={`Definition ${map.workflow.slice(0, 80)}`}>
      <div class="card-head">
        <h2>
          <OutsideLine text={map.workflow} most={80} />
        </h2>
        <p class="quiet">{walksOf(map)}</p>
      </div>
      <ol class="process-map">
        {map.steps.map((one) => (
          <Step key={one.step} one={one} workflow={map.workflow} isChosen={one === step} />
        ))}
      </ol>
      {step === undefined ? null : <Figures step={step} workflow={map.workflow} />}
    </section>
  );
}

function walksOf({ walks, finished, outOfTurn, refusals }: ProcessMap): string {
  const refused = refusals.reduce((sum, { times }) => sum + times, 0);
  return [
    `${walks} ${walks === 1 ? "walk" : "walks"}`,
    `${finished} finished`,
    ...(refused > 0 ? [`${refused} ${refused === 1 ? "refusal" : "refusals"}`] : []),
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
          <OutsideLine text={/^\d+$/.test(one.step) && !/\d$/.test(name) ? `${one.step} ${name}` : name} most={48} />
        </span>
        <span class="rate">
          {rate === undefined ? "–" : of < enough ? `${passed} of ${of}` : `${Math.round(rate * 100)} %`}
        </span>
        <svg class="rate-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
          <rect class="all" width={100} height={4} />
          <rect class="part" width={100 * (rate ?? 0)} height={4} />
        </svg>
        <span class="note">
          {one.work.median === null ? "no time yet" : lasting(one.work.median)}
          {one.waits.times > 0 && one.waits.median !== null ? (
            <span class="waited"> · waits {lasting(one.waits.median)}</span>
          ) : null}
        </span>
        <span class="aloud">
          {rate === undefined ? "no figures yet" : `${passed} of ${of} hand-ins passed at once`}
        </span>
      </a>
    </li>
  );
}

/** Fewer hand-ins than this say nothing of a gate: they are told, and not judged by a colour. */
const enough = 3;

function rateClass(rate: number | undefined, of: number): string {
  if (rate === undefined) return "unknown";
  if (of < enough) return "few";
  return rate >= 0.8 ? "good" : rate >= 0.5 ? "warn" : "bad";
}
