import type { VNode } from "preact";
import type { ProcessFigures, ProcessStep } from "../../http/board/board-data.ts";
import { shortLabel } from "../run/step-name.ts";
import { lasting } from "../shared/moment.tsx";
import { OutsideLine } from "../shared/outside-text.tsx";

/** The figures of one step: over all runs, and per version of its definition. */
export function Figures({ step, workflow }: { readonly step: ProcessStep; readonly workflow: string }): VNode {
  return (
    <div class="figures">
      <h3>
        <OutsideLine text={shortLabel(step.label, workflow)} most={80} />
      </h3>
      <div class="figure-columns">
        <Most
          title="Missed most"
          none="Nothing was missing."
          rows={step.missed.map(({ field, times }) => [field, times])}
        />
        <Most
          title="Refusals"
          none="Never refused."
          rows={step.refusals.map(({ code, times }) => [code.replaceAll("_", " "), times])}
        />
        <div>
          <h4>People</h4>
          <p>{waitsOf(step)}</p>
        </div>
      </div>
      <table class="versions">
        <caption class="aloud">Per version of the definition</caption>
        <thead>
          <tr>
            <th scope="col">Version</th>
            <th scope="col">At once</th>
            <th scope="col">Work</th>
            <th scope="col">Waits</th>
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
      </table>
    </div>
  );
}

function Most({
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
            <OutsideLine text={name} most={60} /> <b>{times}</b>
          </li>
        ))}
      </ul>
    </div>
  );
}

function waitsOf({ waits: { times, median, longest, declined } }: ProcessFigures): string {
  if (times === 0 || median === null) return "Nobody was waited for.";
  const back = declined > 0 ? ` ${declined} sent back.` : "";
  return `Waited for ${times} times: usually ${lasting(median)}${longest === null ? "" : `, at most ${lasting(longest)}`}.${back}`;
}

function Line({
  name,
  since,
  figures,
}: {
  readonly name: string;
  readonly since?: string;
  readonly figures: ProcessFigures;
}): VNode {
  const { firstPass, work, waits, completed } = figures;
  return (
    <tr>
      <th scope="row">
        <OutsideLine text={name} most={20} />
        {since === undefined ? null : (
          <span class="quiet small">
            {" "}
            since {new Date(since).toLocaleDateString("en", { day: "numeric", month: "short" })}
          </span>
        )}
      </th>
      <td>{firstPass.of === 0 ? "–" : `${firstPass.passed} of ${firstPass.of}`}</td>
      <td>{work.median === null ? "–" : lasting(work.median)}</td>
      <td>{waits.median === null ? "–" : lasting(waits.median)}</td>
      <td>{completed}</td>
    </tr>
  );
}
