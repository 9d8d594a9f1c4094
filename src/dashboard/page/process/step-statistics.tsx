import type { VNode } from "preact";
import type { ProcessStep } from "../../api/process-data.ts";
import { durationText } from "../../overview/duration-text.ts";
import type { Figures, Rates } from "../../overview/insights-data.ts";
import { shortLabel } from "../run/short-label.ts";
import { dayText } from "../shared/date-text.ts";
import { UntrustedLine } from "../shared/untrusted-text.tsx";

/** The statistics of one step, over all runs and per version of its definition. */
export function StepStatistics({ step, workflow }: { readonly step: ProcessStep; readonly workflow: string }): VNode {
  return (
    <div class="figures">
      <h3>
        <UntrustedLine text={shortLabel(step.label, workflow)} most={80} />
      </h3>
      <div class="figure-columns">
        <TopList
          title="Most missed"
          none="Nothing missing."
          rows={step.missed.map(({ field, times }) => [field, times])}
        />
        <TopList
          title="Refusals"
          none="Never refused."
          rows={step.refusals.map(({ code, times }) => [code.replaceAll("_", " "), times])}
        />
        <div>
          <h4>People</h4>
          <p>{waitingText(step)}</p>
        </div>
      </div>
      <table class="versions">
        <caption class="aloud">Per version of the definition, and per week</caption>
        <thead>
          <tr>
            <th scope="col">Version, week</th>
            <th scope="col">First try</th>
            <th scope="col">Work</th>
            <th scope="col">Waiting</th>
            <th scope="col">Completed</th>
          </tr>
        </thead>
        <tbody>
          <Line name="all" figures={step} />
          {step.versions.slice(-12).map((version) => (
            <Line
              key={`${version.version} ${version.since}`}
              name={version.version?.slice(0, 7) ?? "not recorded"}
              since={version.since}
              figures={version}
            />
          ))}
        </tbody>
        {step.weeks.length < 2 ? null : (
          <tbody>
            {step.weeks.map((week) => (
              <Line key={week.since} name="week" since={week.since} figures={week} />
            ))}
          </tbody>
        )}
      </table>
    </div>
  );
}

function TopList({
  title,
  none,
  rows,
}: {
  readonly title: string;
  readonly none: string;
  readonly rows: readonly (readonly [string, number])[];
}): VNode {
  const top = Math.max(1, ...rows.map(([, times]) => times));
  return (
    <div>
      <h4>{title}</h4>
      {rows.length === 0 ? <p class="quiet">{none}</p> : null}
      <ul class="most">
        {rows.slice(0, 6).map(([name, times]) => (
          <li key={name}>
            <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
              <rect width={(100 * times) / top} height={1} />
            </svg>
            <UntrustedLine text={name} most={60} /> <b>{times}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function waitingText({ waits: { times, median, longest, declined } }: Figures): string {
  if (times === 0 || median === null) return "No finished waits for a person so far.";
  const back = declined > 0 ? ` ${declined} rejected.` : "";
  return `Waited ${times} times: median ${durationText(median)}${longest === null ? "" : `, longest ${durationText(longest)}`}.${back}`;
}

function Line({
  name,
  since,
  figures,
}: {
  readonly name: string;
  readonly since?: string;
  readonly figures: Rates;
}): VNode {
  const { firstPass, work, waits, completed } = figures;
  return (
    <tr>
      <th scope="row">
        <UntrustedLine text={name} most={20} />
        {since === undefined ? null : <span class="quiet small"> since {dayText(since)}</span>}
      </th>
      <td>
        {firstPass.of === 0 ? "–" : `${firstPass.passed} of ${firstPass.of}`} <Rate {...firstPass} />
      </td>
      <td>{work.median === null ? "–" : durationText(work.median)}</td>
      <td>{waits.median === null ? "–" : durationText(waits.median)}</td>
      <td>{completed}</td>
    </tr>
  );
}

/** The share of first tries that passed, as a bar. */
function Rate({ passed, of }: Figures["firstPass"]): VNode | null {
  if (of === 0) return null;
  return (
    <svg class="first-tries" viewBox={`0 0 ${of} 1`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="word" width={of} height={1} />
      <rect class="found" width={passed} height={1} />
    </svg>
  );
}
