import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { RunData, RunRow } from "../../api/board-data.ts";
import { conditions } from "../../overview/conditions.ts";
import { visibleSigns } from "../../overview/step-signs.ts";
import { conditionText } from "../../overview/step-text.ts";
import { type BoardLocation, go, href, type StepLocation } from "../board/location.ts";
import { useKeys } from "../board/shortcuts.ts";
import { EvidenceBar } from "../inbox/evidence-bar.tsx";
import { runs } from "../live/runs.ts";
import { useResource } from "../live/use-resource.ts";
import { dateText } from "../shared/date-text.ts";
import { LoadingOrError, Notice } from "../shared/frame.tsx";
import { Icon } from "../shared/icon.tsx";
import { UntrustedLine, UntrustedText } from "../shared/untrusted-text.tsx";
import { History } from "./history.tsx";
import { ItemStrips } from "./item-strips.tsx";
import { RunMap } from "./map.tsx";
import { mapAt, type ReplayEvent, replayEvents } from "./replay-moments.ts";
import { Help } from "./step-help.tsx";
import { StepPanel } from "./step-panel.tsx";
import { Timeline } from "./timeline.tsx";

/** One run: its status, map, timeline and history, and the chosen step. */
export function Run({ place }: { readonly place: BoardLocation & { readonly view: "run" } }): VNode {
  const { key, at, record } = place;
  const { answer } = useResource<RunData>(
    `runs/${encodeURIComponent(key)}`,
    (event) => event.type === "run" && (event.row.key === key || event.row.itemOf === key),
  );
  if (answer === undefined || "no" in answer) return <LoadingOrError answered={answer} />;
  return <LoadedRun data={answer.data} at={at} record={record} />;
}

function LoadedRun({
  data,
  at,
  record,
}: {
  readonly data: RunData;
  readonly at: StepLocation | undefined;
  readonly record: number | undefined;
}): VNode {
  const { row, attempts } = data;
  const past = useMemo(() => replayEvents(attempts), [attempts]);
  const [replayed, setReplayed] = useState<number>();
  const moment = replayed === undefined ? undefined : past[replayed];
  const workflows = useMemo(
    () => (moment === undefined ? visibleMap(data) : mapAt(data.workflows, attempts, moment.at)),
    [data, moment],
  );
  const chosen = at ?? moment ?? (row.now === undefined ? lastStep(data) : row.now);
  return (
    <div class="view">
      <Title data={data} />
      {data.help === undefined || moment !== undefined ? null : <Help help={data.help} row={row} />}
      <section class="card map-card" aria-label="Map">
        <RunMap row={row} workflows={workflows} chosen={chosen} />
        <ItemStrips workflows={workflows} />
      </section>
      <div class="run-columns">
        <div class="run-main">
          <section class="card" aria-labelledby="timeline">
            <div class="card-head">
              <h2 id="timeline">Timeline</h2>
              <TimeLegend />
            </div>
            <Timeline data={data} chosen={chosen} until={moment?.at} />
            <Replay past={past} at={replayed ?? past.length - 1} turn={setReplayed} />
            {data.attemptsLeftOut > 0 ? (
              <p class="quiet small">
                {data.attemptsLeftOut.toLocaleString("en")} older attempts are not shown here; the history below has
                them.
              </p>
            ) : null}
          </section>
        </div>
        {chosen === undefined ? null : (
          <StepPanel
            key={`${chosen.workflow} ${chosen.step}`}
            data={data}
            workflow={chosen.workflow}
            step={chosen.step}
            submission={at?.submission}
          />
        )}
        <div class="run-main">
          <History runKey={row.key} chain={data.chain} view="run" chosen={record} />
        </div>
      </div>
    </div>
  );
}

function visibleMap({ workflows, row: { now } }: RunData): RunData["workflows"] {
  return workflows.map((one) => ({
    ...one,
    steps: one.steps.map((step) => ({ ...step, sign: visibleSigns(step.sign, one.workflow, now?.workflow) })),
  }));
}

function lastStep({ attempts }: RunData): StepLocation | undefined {
  const last = attempts.at(-1);
  return last && { workflow: last.workflow, step: last.step };
}

function Title({ data: { row, sentence, warnings, chain } }: { readonly data: RunData }): VNode {
  const { before, after } = neighbours(row.key);
  useKeys(
    [
      ...(before === undefined
        ? []
        : [{ keys: "[", words: "previous run", act: () => go({ view: "run", key: before.key }) }]),
      ...(after === undefined
        ? []
        : [{ keys: "]", words: "next run", act: () => go({ view: "run", key: after.key }) }]),
      ...(row.stands === "waits" ? [{ keys: "a", words: "review what is waiting", act: () => openReview(row) }] : []),
    ],
    before?.key,
    after?.key,
    row.stands,
    row.now?.step,
  );
  return (
    <div class="title">
      <div class="crumbs">
        <span>
          <a href={href({ view: "runs" })}>Runs</a> / <UntrustedLine text={row.workflow} most={60} />
        </span>
        <span class="beside">
          {before === undefined ? null : (
            <a href={href({ view: "run", key: before.key })} title="The previous run  [">
              ↑ <UntrustedLine text={before.title} most={24} />
            </a>
          )}
          {after === undefined ? null : (
            <a href={href({ view: "run", key: after.key })} title="The next run  ]">
              ↓ <UntrustedLine text={after.title} most={24} />
            </a>
          )}
        </span>
      </div>
      <h1>
        <UntrustedText text={row.title} most={120} />{" "}
        <span class={`condition ${row.stands}`}>
          <Icon name={conditions[row.stands].icon} /> {conditionText(row)}
        </span>
        {row.stands === "waits" && row.now !== undefined ? (
          <a
            class="button primary"
            href={href({ view: "inbox", item: { key: row.key, workflow: row.now.workflow, step: row.now.step } })}
          >
            {row.now.blocked === undefined ? "Review" : "Answer"}
          </a>
        ) : null}
      </h1>
      <p class="sentence">
        <UntrustedText text={sentence} most={600} />
      </p>
      <EvidenceBar looked={row.evidence} />
      {warnings.length === 0 ? null : (
        <Notice
          tone={chain.state === "broken" ? "bad" : "warn"}
          title={chain.state === "broken" ? "The history of this run is broken" : "Warnings"}
        >
          <ul>
            {warnings.slice(0, 20).map((text) => (
              <li key={text}>
                <UntrustedText text={text} most={500} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

function openReview({ key, now }: RunRow): void {
  if (now !== undefined) go({ view: "inbox", item: { key, workflow: now.workflow, step: now.step } });
}

/** Finds the runs before and after one in the list that was shown last. */
function neighbours(key: string): { readonly before?: RunRow; readonly after?: RunRow } {
  const listed = runs.value !== undefined && "data" in runs.value ? runs.value.data.runs : [];
  const at = listed.findIndex((row) => row.key === key);
  const [before, after] = at === -1 ? [] : [listed[at - 1], listed[at + 1]];
  return { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
}

function TimeLegend(): VNode {
  return (
    <p class="legend">
      <span>
        <i class="sign done" /> work
      </span>
      <span>
        <i class="sign going" /> in progress
      </span>
      <span>
        <i class="sign waits" /> waiting for a person
      </span>
      <span>
        <b class="bad-ink">✕</b> refused
      </span>
      <span>
        <b class="warn-ink">▼</b> rejected
      </span>
      {(["relayed", "elicited", "proven"] as const).map((level) => (
        <span key={level}>
          <svg class="level" viewBox="0 0 12 12" aria-hidden="true">
            <circle class={level} cx={6} cy={6} r={4} />
          </svg>{" "}
          {level === "elicited" ? "approved" : level}
        </span>
      ))}
    </p>
  );
}

/** Replays what happened; the map and the timeline follow. */
function Replay({
  past,
  at,
  turn,
}: {
  readonly past: readonly ReplayEvent[];
  readonly at: number;
  readonly turn: (to: number | undefined) => void;
}): VNode | null {
  if (past.length < 2) return null;
  const moment = past[Math.min(at, past.length - 1)];
  const said =
    moment === undefined
      ? ""
      : `event ${Math.min(at, past.length - 1) + 1} of ${past.length} · ${dateText(moment.at)} · ${moment.text}`;
  return (
    <div class="replay">
      <label for="replay">Replay</label>
      <input
        id="replay"
        type="range"
        min={0}
        max={past.length - 1}
        value={Math.min(at, past.length - 1)}
        aria-valuetext={said.slice(0, 200)}
        onInput={({ currentTarget }) => {
          const to = Number(currentTarget.value);
          turn(to === past.length - 1 ? undefined : to);
        }}
      />
      <span class="quiet small">
        <UntrustedLine text={said} most={140} />
      </span>
    </div>
  );
}
