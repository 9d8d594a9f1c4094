import type { VNode } from "preact";
import type { MapRow, MapStep, RunRow } from "../../api/board-data.ts";
import { durationText } from "../../overview/duration-text.ts";
import { evidenceCountText } from "../../overview/evidence-text.ts";
import { signOf } from "../../overview/step-signs.ts";
import { href } from "../board/location.ts";
import { EvidenceMeter } from "../inbox/evidence-bar.tsx";
import { Icon } from "../shared/icon.tsx";
import { UntrustedLine, visibleText } from "../shared/untrusted-text.tsx";
import { shortLabel } from "./short-label.ts";

type ChosenStep = { readonly workflow: string; readonly step: string } | undefined;

/** The map of a run: phases as a line, a bot as a grid of behaviors and actions. */
export function RunMap({
  row,
  workflows,
  chosen,
}: {
  readonly row: RunRow;
  readonly workflows: readonly MapRow[];
  readonly chosen: ChosenStep;
}): VNode {
  const [only] = workflows;
  return row.kind === "session" && only !== undefined ? (
    <Line of={only} row={row} chosen={chosen} />
  ) : (
    <Grid rows={workflows} runKey={row.key} chosen={chosen} />
  );
}

function Line({
  of: { workflow, steps },
  row: { key: runKey, stands },
  chosen,
}: {
  readonly of: MapRow;
  readonly row: RunRow;
  readonly chosen: ChosenStep;
}): VNode {
  return (
    <ol class="line-map">
      {steps.map((one) => (
        <li key={one.step} class={`sign ${signOf(one.sign).name}`}>
          <a
            data-row
            href={href({ view: "run", key: runKey, at: { workflow, step: one.step } })}
            aria-current={isChosen(chosen, workflow, one.step) ? "step" : undefined}
          >
            <span class="aloud">{spokenLabel(one, stands === "finished")}</span>
            <span class="stop" aria-hidden="true">
              {signOf(one.sign).icon === undefined || one.sign === "s" ? (
                one.step
              ) : (
                <Icon name={signOf(one.sign).icon ?? "dot"} />
              )}
            </span>
            <span class="name" aria-hidden="true">
              <UntrustedLine text={phaseName(one, stands === "finished")} most={48} />
            </span>
            <span class="note" aria-hidden="true">
              {noteOf(one, "all")}
            </span>
            <Meter step={one} />
          </a>
        </li>
      ))}
    </ol>
  );
}

/** A phase that a run has not reached has no name yet, or never will. */
function phaseName({ step, label }: MapStep, isOver: boolean): string {
  const name = shortLabel(label);
  if (name !== step && name !== "" && name !== `Phase ${step}`) return name;
  return isOver ? "not reached" : "upcoming";
}

function Grid({
  rows,
  runKey,
  chosen,
}: {
  readonly rows: readonly MapRow[];
  readonly runKey: string;
  readonly chosen: ChosenStep;
}): VNode {
  const columns = Math.max(1, ...rows.map(({ steps }) => steps.length));
  const [first] = rows;
  const isOneKind = rows.every(
    ({ steps }) => steps.map(({ step }) => step).join() === first?.steps.map(({ step }) => step).join(),
  );
  return (
    <div class="grid-map" style={{ "--columns": String(columns) }}>
      {isOneKind && first !== undefined ? (
        <div class="grid-head" aria-hidden="true">
          <span />
          {first.steps.map(({ step, label }) => (
            <span key={step}>
              <UntrustedLine text={shortLabel(label, first.workflow)} most={40} />
            </span>
          ))}
        </div>
      ) : null}
      {rows.map(({ workflow, steps, pass }) => (
        <div key={workflow} class="grid-row">
          <span class="behavior">
            <UntrustedLine text={workflow} most={40} />
            {pass > 1 ? <span class="quiet small"> pass {pass}</span> : null}
          </span>
          {steps.map((one) => (
            <a
              key={one.step}
              class={`sign ${signOf(one.sign).name}`}
              data-row
              href={href({ view: "run", key: runKey, at: { workflow, step: one.step } })}
              aria-current={isChosen(chosen, workflow, one.step) ? "step" : undefined}
              title={isOneKind ? undefined : visibleText(shortLabel(one.label, workflow), 80)}
            >
              <span class="aloud">
                {visibleText(workflow, 60)}, {spokenLabel(one)}
              </span>
              {signOf(one.sign).icon === undefined ? null : <Icon name={signOf(one.sign).icon ?? "dot"} />}
              <span class="note" aria-hidden="true">
                {isOneKind ? noteOf(one, "short") : <UntrustedLine text={shortLabel(one.label, workflow)} most={24} />}
              </span>
              {one.handIns > 1 ? (
                <span class="times" aria-hidden="true">
                  {one.handIns} submissions
                </span>
              ) : null}
              {one.stale === undefined || one.stale.length === 0 ? null : (
                <span class="times" aria-hidden="true">
                  stale
                </span>
              )}
              <Meter step={one} />
            </a>
          ))}
        </div>
      ))}
    </div>
  );
}

/** How much of a step's evidence is verified; its panel says it in words. */
function Meter({ step: { evidence } }: { readonly step: MapStep }): VNode | null {
  if (evidence === undefined) return null;
  return (
    <span class="step-meter" title={evidenceCountText(evidence)}>
      <EvidenceMeter looked={evidence} />
      <span class="aloud">, {evidenceCountText(evidence)}</span>
    </span>
  );
}

function isChosen(chosen: ChosenStep, workflow: string, step: string): boolean {
  return chosen?.workflow === workflow && chosen.step === step;
}

/** Describes a step below its sign: its duration or current state. */
function noteOf(step: MapStep, says: "all" | "short"): string {
  const { sign, work, handIns: submissions, round, cameBackFrom, passedOver } = step;
  const back = says === "all" && cameBackFrom !== undefined ? ` (back from ${visibleText(cameBackFrom, 24)})` : "";
  const times = [
    ...(round === undefined ? [] : [`round ${round}${back}`]),
    ...(says === "all" && submissions > 1 ? [`${submissions} submissions`] : []),
  ];
  switch (sign) {
    case "d":
    case "r":
      return [...(work === undefined ? [] : [durationText(work)]), ...times].join(" · ") || "done";
    case "w":
      return "waiting";
    case "s":
      return [...(says === "all" ? [] : ["stuck"]), ...times].join(", ");
    case "o":
      return ["open", ...times].join(", ");
    case "n":
      return "next";
    case "k":
      return passedOver === true ? "passed over" : "skipped";
    default:
      return "";
  }
}

function spokenLabel(one: MapStep, isOver = false): string {
  const name = visibleText(shortLabel(one.label), 80);
  return `${/^\d+$/.test(one.step) ? `Phase ${one.step}${name === one.step ? "" : `, ${name}`}` : name}: ${isOver && one.sign === "." ? "not reached" : signOf(one.sign).label}`;
}
