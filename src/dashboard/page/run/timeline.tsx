import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Attempt, RunData } from "../../api/board-data.ts";
import { durationText } from "../../overview/duration-text.ts";
import { lastTime, type SpanMark, timelineMarks, timelineSpans, timelineTimes } from "../../overview/timeline/spans.ts";
import { type TimeScale, ticksOf, timeScale } from "../../overview/timeline/time-scale.ts";
import { go } from "../board/location.ts";
import { clock } from "../shared/clock.tsx";
import { dayText, timeText } from "../shared/date-text.ts";
import { visibleText } from "../shared/untrusted-text.tsx";
import { shortLabel } from "./short-label.ts";

const rowHeight = 26;
const headHeight = 28;

type TimeRow = {
  readonly label: string;
  readonly workflow: string;
  readonly step?: string;
  readonly attempts: readonly Attempt[];
};

/** The timeline of work, waiting and refusals, with quiet hours folded. */
export function Timeline({
  data,
  chosen,
  until,
}: {
  readonly data: RunData;
  readonly chosen: { readonly workflow: string; readonly step: string } | undefined;
  /** The time up to which a replay shows events. */
  readonly until: number | undefined;
}): VNode {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    if (frame.current !== null) watch.observe(frame.current);
    return () => watch.disconnect();
  }, []);
  const names = width < 560 ? 96 : 168;
  const isOpen = data.attempts.some(({ state }) => state === "open");
  const now = isOpen ? clock() : lastTime(data.attempts);
  const rows = useMemo(() => timelineRows(data, chosen?.workflow), [data, chosen?.workflow]);
  const scale = useMemo(
    () => timeScale(timelineTimes(data.attempts, now), Math.max(60, width - names - 12)),
    [data.attempts, width, names, now],
  );
  return (
    <div class="timeline" ref={frame}>
      {width === 0 ? null : (
        <svg
          width={width}
          height={headHeight + rows.length * rowHeight}
          role="img"
          aria-label={`Timeline of ${rows.length} rows. The history below lists the same events.`}
        >
          <Hatch />
          <Grid
            scale={scale}
            left={names}
            height={headHeight + rows.length * rowHeight}
            apart={width < 560 ? 56 : 76}
          />
          {rows.map((row, at) => (
            <Row
              key={`${row.workflow} ${row.step}`}
              row={row}
              top={headHeight + at * rowHeight}
              left={names}
              width={width}
              scale={scale}
              now={now}
              isChosen={row.step !== undefined && row.step === chosen?.step && row.workflow === chosen.workflow}
              runKey={data.row.key}
            />
          ))}
          {until === undefined ? null : (
            <g transform={`translate(${names + scale.x(until)},0)`}>
              <rect
                class="later"
                y={headHeight}
                width={Math.max(0, width - names - scale.x(until))}
                height={rows.length * rowHeight}
              />
              <line class="until" y1={headHeight - 6} y2={headHeight + rows.length * rowHeight} />
            </g>
          )}
        </svg>
      )}
      {scale.folded > 0 && width > 0 ? (
        <p class="quiet small">
          {"//"} {durationText(scale.folded)} without activity, folded
        </p>
      ) : null}
    </div>
  );
}

function Row(given: {
  readonly row: TimeRow;
  readonly top: number;
  readonly left: number;
  readonly width: number;
  readonly scale: TimeScale;
  readonly now: number;
  readonly isChosen: boolean;
  readonly runKey: string;
}): VNode {
  const { row, top, left, width, scale, now, isChosen, runKey } = given;
  const { workflow, step } = row;
  const open = step === undefined ? undefined : () => go({ view: "run", key: runKey, at: { workflow, step } });
  const spans = useMemo(() => timelineSpans(row.attempts, scale, now), [row.attempts, scale, now]);
  const marks = useMemo(() => timelineMarks(row.attempts, scale), [row.attempts, scale]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the map leads to the same steps with the keyboard
    <g
      class={`time-row${step === undefined ? " whole" : ""}${isChosen ? " chosen" : ""}${open === undefined ? "" : " leads"}`}
      transform={`translate(0,${top})`}
      onClick={open}
    >
      <rect class="ground" width={width} height={rowHeight} rx={4} />
      <text x={step === undefined || row.label === "" ? 4 : 8} y={17}>
        {cutText(row.label, Math.floor((left - 14) / 6.6))}
      </text>
      <g transform={`translate(${left},5)`}>
        {spans.map(({ kind, left: x, right }) => (
          <rect key={`${kind} ${x}`} class={kind} x={x} width={Math.max(2, right - x)} height={16} rx={2} />
        ))}
        {marks.map(({ kind, x }) => (
          <Mark key={`${kind} ${x}`} kind={kind} x={x} />
        ))}
      </g>
    </g>
  );
}

function Mark({ kind, x }: { readonly kind: SpanMark["kind"]; readonly x: number }): VNode {
  switch (kind) {
    case "refused":
      return (
        <>
          <path class="halo" d={`M${x - 4} 3l8 10M${x + 4} 3l-8 10`} />
          <path class="refused" d={`M${x - 4} 3l8 10M${x + 4} 3l-8 10`} />
        </>
      );
    case "declined":
      return <path class="declined" d={`M${x - 5} -1h10l-5 8z`} />;
    case "relayed":
    case "elicited":
    case "proven":
      return <circle class={kind} cx={x} cy={8} r={4} />;
  }
}

function Grid({
  scale,
  left,
  height,
  apart,
}: {
  readonly scale: TimeScale;
  readonly left: number;
  readonly height: number;
  readonly apart: number;
}): VNode {
  const folds = scale.stretches.filter(({ isFolded }) => isFolded);
  const isFree = (x: number): boolean => folds.every((fold) => x < fold.left - 22 || x > fold.right + 10);
  const all = ticksOf(scale, apart);
  const free = all.filter(({ x }) => isFree(x));
  const ticks = free.length < 2 ? all.filter(({ x }, at) => x - (all[at - 1]?.x ?? -apart) >= apart) : free;
  const span = (scale.stretches.at(-1)?.to ?? 0) - (scale.stretches[0]?.from ?? 0);
  const isShort = ticks.some(({ time }) => time % 60_000 !== 0);
  let day = "";
  return (
    <g class="grid" transform={`translate(${left},0)`}>
      {scale.stretches.flatMap(({ isFolded, from, to, left: x, right }) =>
        isFolded
          ? [
              <rect key={x} class="fold" x={x} y={headHeight - 4} width={right - x} height={height - headHeight + 4} />,
              <text key={`t${x}`} x={(x + right) / 2} y={16} text-anchor="middle">
                {right - x > 52 ? durationText((to - from) / 1000) : right - x > 12 ? "//" : ""}
              </text>,
            ]
          : [],
      )}
      {ticks.map(({ time, x }) => {
        const today = dayText(time);
        const isNew = today !== day && span > 20 * 3_600_000;
        day = today;
        return (
          <g key={time}>
            <line x1={x} x2={x} y1={headHeight - 6} y2={height} />
            <text x={x} y={16} text-anchor="middle">
              {isNew ? today : timeText(time, isShort)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** The stripes of waiting, so that it does not look like work. */
function Hatch(): VNode {
  return (
    <defs>
      <pattern id="waits" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="hatch-ground" width="7" height="7" />
        <rect class="hatch-line" width="3" height="7" />
      </pattern>
    </defs>
  );
}

/** Builds the rows: each phase of a session, or each behavior of a bot with the steps of the chosen one. */
function timelineRows({ row, workflows, attempts }: RunData, looked: string | undefined): readonly TimeRow[] {
  return workflows.flatMap(({ workflow, steps }): readonly TimeRow[] => {
    const own = attempts.filter((one) => one.workflow === workflow);
    if (own.length === 0) return [];
    const each = steps.flatMap(({ step, label }): readonly TimeRow[] => {
      const tried = own.filter((one) => one.step === step);
      return tried.length === 0
        ? []
        : [
            {
              label: row.kind === "session" ? `${step} ${shortLabel(label)}` : shortLabel(label, workflow),
              workflow,
              step,
              attempts: tried,
            },
          ];
    });
    if (row.kind === "session") return each;
    return [{ label: workflow, workflow, attempts: own }, ...(workflow === looked ? each : [])];
  });
}

function cutText(text: string, most: number): string {
  const shown = visibleText(text, most + 1);
  return shown.length > most ? `${shown.slice(0, Math.max(1, most - 1))}…` : shown;
}
