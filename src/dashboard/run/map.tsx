import type { VNode } from "preact";
import type { MapRow, MapStep, RunRow } from "../../http/board/board-data.ts";
import { href } from "../board/place.ts";
import { signClass, signIcon, signWords } from "../board/stands.ts";
import { Icon } from "../shared/icon.tsx";
import { lasting } from "../shared/moment.tsx";
import { OutsideLine, visibleText } from "../shared/outside-text.tsx";
import { shortLabel } from "./step-name.ts";

type Chosen = { readonly workflow: string; readonly step: string } | undefined;

/** Where a run stands on its map, with the steps to come: phases as a line, a bot as a grid of behaviors and actions. */
export function RunMap({
  row,
  workflows,
  chosen,
}: {
  readonly row: RunRow;
  readonly workflows: readonly MapRow[];
  readonly chosen: Chosen;
}): VNode {
  const [only] = workflows;
  return row.kind === "session" && only !== undefined ? (
    <Line of={only} runKey={row.key} chosen={chosen} />
  ) : (
    <Grid rows={workflows} runKey={row.key} chosen={chosen} />
  );
}

function Line({
  of: { workflow, steps },
  runKey,
  chosen,
}: {
  readonly of: MapRow;
  readonly runKey: string;
  readonly chosen: Chosen;
}): VNode {
  return (
    <ol class="line-map">
      {steps.map((one) => (
        <li key={one.step} class={signClass(one.sign)}>
          <a
            data-row
            href={href({ view: "run", key: runKey, at: { workflow, step: one.step } })}
            aria-current={isChosen(chosen, workflow, one.step) ? "step" : undefined}
          >
            <span class="aloud">{aloud(one)}</span>
            <span class="stop" aria-hidden="true">
              {signIcon(one.sign) === undefined || one.sign === "s" ? (
                one.step
              ) : (
                <Icon name={signIcon(one.sign) ?? "dot"} />
              )}
            </span>
            <span class="name" aria-hidden="true">
              <OutsideLine text={nameOf(one)} most={48} />
            </span>
            <span class="note" aria-hidden="true">
              {noteOf(one, "all")}
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

function nameOf({ step, label }: MapStep): string {
  const name = shortLabel(label);
  return name === step || name === "" || name === `Phase ${step}` ? "to come" : name;
}

function Grid({
  rows,
  runKey,
  chosen,
}: {
  readonly rows: readonly MapRow[];
  readonly runKey: string;
  readonly chosen: Chosen;
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
              <OutsideLine text={shortLabel(label, first.workflow)} most={40} />
            </span>
          ))}
        </div>
      ) : null}
      {rows.map(({ workflow, steps, pass }) => (
        <div key={workflow} class="grid-row">
          <span class="behavior">
            <OutsideLine text={workflow} most={40} />
            {pass > 1 ? <span class="quiet small"> pass {pass}</span> : null}
          </span>
          {steps.map((one) => (
            <a
              key={one.step}
              class={signClass(one.sign)}
              data-row
              href={href({ view: "run", key: runKey, at: { workflow, step: one.step } })}
              aria-current={isChosen(chosen, workflow, one.step) ? "step" : undefined}
              title={isOneKind ? undefined : visibleText(shortLabel(one.label, workflow), 80)}
            >
              <span class="aloud">
                {visibleText(workflow, 60)}, {aloud(one)}
              </span>
              {signIcon(one.sign) === undefined ? null : <Icon name={signIcon(one.sign) ?? "dot"} />}
              <span class="note" aria-hidden="true">
                {isOneKind ? noteOf(one, "short") : <OutsideLine text={shortLabel(one.label, workflow)} most={24} />}
              </span>
              {one.handIns > 1 ? (
                <span class="times" aria-hidden="true">
                  {one.handIns} hand-ins
                </span>
              ) : null}
              {one.stale === undefined || one.stale.length === 0 ? null : (
                <span class="times" aria-hidden="true">
                  stale
                </span>
              )}
            </a>
          ))}
        </div>
      ))}
    </div>
  );
}

function isChosen(chosen: Chosen, workflow: string, step: string): boolean {
  return chosen?.workflow === workflow && chosen.step === step;
}

/** What stands under a step: how long it took, or what it does now. */
function noteOf({ sign, work, handIns }: MapStep, says: "all" | "short"): string {
  const times = says === "all" && handIns > 1 ? [`${handIns} hand-ins`] : [];
  switch (sign) {
    case "d":
    case "r":
      return [...(work === undefined ? [] : [lasting(work)]), ...times].join(" · ") || "done";
    case "w":
      return "waits";
    case "s":
      return [...(says === "all" ? [] : ["stuck"]), ...times].join(", ");
    case "o":
      return ["open", ...times].join(", ");
    case "n":
      return "next";
    case "k":
      return "skipped";
    default:
      return "";
  }
}

function aloud(one: MapStep): string {
  const name = visibleText(shortLabel(one.label), 80);
  return `${/^\d+$/.test(one.step) ? `Phase ${one.step}${name === one.step ? "" : `, ${name}`}` : name}: ${signWords[one.sign] ?? "to come"}`;
}
