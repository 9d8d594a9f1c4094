import type { VNode } from "preact";
import type { RunCondition, RunList, RunRow } from "../../api/board-data.ts";
import { durationText } from "../../overview/duration-text.ts";
import { href } from "../board/location.ts";
import { statusLabels } from "../board/status-labels.ts";
import { clock } from "../shared/clock.tsx";

const countedStatuses = ["waits", "stuck", "working", "quiet", "finished"] as const;

/** Five counts that filter the runs by status. */
export function Counts(given: {
  readonly list: RunList;
  readonly chosen: RunCondition | undefined;
  readonly approves: boolean;
}): VNode {
  const { list, chosen, approves } = given;
  return (
    <ul class="counts" aria-label="Runs by status">
      {countedStatuses.map((condition) => {
        const count = list.counts[condition];
        const isChosen = chosen === condition;
        return (
          <li key={condition}>
            <a
              class={`${condition}${count === 0 ? " none" : ""}`}
              href={href({ view: "runs", ...(isChosen ? {} : { stands: condition }) })}
              aria-current={isChosen ? "true" : undefined}
            >
              <b>{count}</b>
              <span class="word">{condition === "waits" ? waitingLabel(approves) : statusLabels[condition].word}</span>
              <span class="more-words">{countDetail(condition, list)}</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function waitingLabel(approves: boolean): string {
  return approves ? "waiting for you" : "waiting for approval";
}

function countDetail(condition: (typeof countedStatuses)[number], { runs, records, whole, counts }: RunList): string {
  const own = runs.filter((row) => row.stands === condition);
  if (own.length === 0 && condition !== "finished") return "none";
  switch (condition) {
    case "waits":
      return `longest ${ageText(own, (row) => row.now?.waitingSince, "oldest")}`;
    case "stuck":
      return "refused twice by the same gate";
    case "working":
      return `last activity ${ageText(own, (row) => row.changed, "newest")} ago`;
    case "quiet":
      return `no activity for ${ageText(own, (row) => row.changed, "newest")}`;
    case "finished":
      return counts.finished === 0
        ? "none"
        : `${records.toLocaleString("en")} ${records === 1 ? "record" : "records"}${whole === true ? ", all intact" : ""}`;
  }
}

function ageText(
  rows: readonly RunRow[],
  at: (row: RunRow) => string | null | undefined,
  which: "oldest" | "newest",
): string {
  const times = rows.flatMap((row) => Date.parse(at(row) ?? "") || []);
  if (times.length === 0) return "?";
  const time = which === "oldest" ? Math.min(...times) : Math.max(...times);
  return durationText((clock() - time) / 1000);
}
