import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { RunData, RunRow } from "../../http/board/board-data.ts";
import { useKeys } from "../board/keys.ts";
import { go, href, type Place, type StepPlace } from "../board/place.ts";
import { drawnSigns, standings, standsInOrder } from "../board/stands.ts";
import { rows } from "../live/known.ts";
import { useAsked } from "../live/use-asked.ts";
import { Missing, Notice } from "../shared/frame.tsx";
import { Icon } from "../shared/icon.tsx";
import { OutsideLine, OutsideText } from "../shared/outside-text.tsx";
import { History } from "./history.tsx";
import { RunMap } from "./map.tsx";
import { type Happening, happenings, mapAt } from "./moments.ts";
import { StepPanel } from "./step-panel.tsx";
import { Timeline } from "./timeline.tsx";

/** One run: how it stands, its map, when what was done, its history, and the step that is looked at. */
export function Run({ place }: { readonly place: Place & { readonly view: "run" } }): VNode {
  const { key, at, record } = place;
  const { answered } = useAsked<RunData>(
    `runs/${encodeURIComponent(key)}`,
    (event) => event.type === "run" && event.row.key === key,
  );
  if (answered === undefined || "no" in answered) return <Missing answered={answered} />;
  return <Shown data={answered.data} at={at} record={record} />;
}

function Shown({
  data,
  at,
  record,
}: {
  readonly data: RunData;
  readonly at: StepPlace | undefined;
  readonly record: number | undefined;
}): VNode {
  const { row, attempts } = data;
  const past = useMemo(() => happenings(attempts), [attempts]);
  const [replayed, setReplayed] = useState<number>();
  const moment = replayed === undefined ? undefined : past[replayed];
  const workflows = useMemo(
    () => (moment === undefined ? drawn(data) : mapAt(data.workflows, attempts, moment.at)),
    [data, moment],
  );
  const chosen = at ?? moment ?? (row.now === undefined ? lastStep(data) : row.now);
  return (
    <div class="view">
      <Title data={data} />
      <section class="card map-card" aria-label="Map">
        <RunMap row={row} workflows={workflows} chosen={chosen} />
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
                {data.attemptsLeftOut.toLocaleString("en")} older attempts are left out here; the history below has
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
            handIn={at?.handIn}
          />
        )}
        <div class="run-main">
          <History runKey={row.key} chain={data.chain} view="run" chosen={record} />
        </div>
      </div>
    </div>
  );
}

function drawn({ workflows, row: { now } }: RunData): RunData["workflows"] {
  return workflows.map((one) => ({
    ...one,
    steps: one.steps.map((step) => ({ ...step, sign: drawnSigns(step.sign, one.workflow, now?.workflow) })),
  }));
}

function lastStep({ attempts }: RunData): StepPlace | undefined {
  const last = attempts.at(-1);
  return last && { workflow: last.workflow, step: last.step };
}

function Title({ data: { row, sentence, warnings } }: { readonly data: RunData }): VNode {
  const { before, after } = besides(row.key);
  useKeys(
    [
      ...(before === undefined
        ? []
        : [{ keys: "[", words: "previous run", act: () => go({ view: "run", key: before.key }) }]),
      ...(after === undefined
        ? []
        : [{ keys: "]", words: "next run", act: () => go({ view: "run", key: after.key }) }]),
      ...(row.stands === "waits" ? [{ keys: "a", words: "look at what waits, to answer", act: () => judge(row) }] : []),
    ],
    before?.key,
    after?.key,
    row.stands,
    row.now?.step,
  );
  const { icon, badge } = standings[row.stands];
  return (
    <div class="title">
      <div class="crumbs">
        <span>
          <a href={href({ view: "runs" })}>Runs</a> / <OutsideLine text={row.workflow} most={60} />
        </span>
        <span class="beside">
          {before === undefined ? null : (
            <a href={href({ view: "run", key: before.key })} title="The previous run  [">
              ↑ <OutsideLine text={before.title} most={24} />
            </a>
          )}
          {after === undefined ? null : (
            <a href={href({ view: "run", key: after.key })} title="The next run  ]">
              ↓ <OutsideLine text={after.title} most={24} />
            </a>
          )}
        </span>
      </div>
      <h1>
        <OutsideText text={row.title} most={120} />{" "}
        <span class={`standing ${row.stands}`}>
          <Icon name={icon} /> {badge}
        </span>
        {row.stands === "waits" && row.now !== undefined ? (
          <a
            class="button primary"
            href={href({ view: "inbox", item: { key: row.key, workflow: row.now.workflow, step: row.now.step } })}
          >
            Look at what waits
          </a>
        ) : null}
      </h1>
      <p class="sentence">
        <OutsideText text={sentence} most={600} />
      </p>
      {warnings.length === 0 ? null : (
        <Notice
          tone="warn"
          title={warnings.length === 1 ? "To be said of it" : `${warnings.length} things to be said of it`}
        >
          <ul>
            {warnings.slice(0, 20).map((text) => (
              <li key={text}>
                <OutsideText text={text} most={500} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

function judge({ key, now }: RunRow): void {
  if (now !== undefined) go({ view: "inbox", item: { key, workflow: now.workflow, step: now.step } });
}

/** The runs before and after one, as they are listed. */
function besides(key: string): { readonly before?: RunRow; readonly after?: RunRow } {
  const all = [...rows.value.values()];
  const listed = standsInOrder.flatMap((stands) => all.filter((row) => row.stands === stands));
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
        <i class="sign going" /> under way
      </span>
      <span>
        <i class="sign waits" /> waits for a person
      </span>
      <span>
        <b class="bad-ink">✕</b> refused
      </span>
      <span>
        <b class="warn-ink">▼</b> sent back
      </span>
      <span>
        <b class="good-ink">○</b> a person's word
      </span>
    </p>
  );
}

/** Goes back through what happened; the map and the timeline follow. */
function Replay({
  past,
  at,
  turn,
}: {
  readonly past: readonly Happening[];
  readonly at: number;
  readonly turn: (to: number | undefined) => void;
}): VNode | null {
  if (past.length < 2) return null;
  const moment = past[Math.min(at, past.length - 1)];
  const said =
    moment === undefined
      ? ""
      : `moment ${Math.min(at, past.length - 1) + 1} of ${past.length} · ${new Date(moment.at).toLocaleString("en", { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false })} · ${moment.words}`;
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
        <OutsideLine text={said} most={140} />
      </span>
    </div>
  );
}
