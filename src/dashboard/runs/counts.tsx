import type { VNode } from "preact";
import type { RunList, RunRow, StandsAs } from "../../http/board/board-data.ts";
import { href } from "../board/place.ts";
import { standings } from "../board/stands.ts";
import { clock, lasting } from "../shared/moment.tsx";

const counted = ["waits", "stuck", "working", "quiet", "finished"] as const;

/** Five counts; each shows its runs alone. */
export function Counts(given: {
  readonly list: RunList;
  readonly chosen: StandsAs | undefined;
  readonly approves: boolean;
}): VNode {
  const { list, chosen, approves } = given;
  return (
    <ul class="counts" aria-label="How the runs stand">
      {counted.map((stands) => {
        const count = list.counts[stands];
        const isChosen = chosen === stands;
        return (
          <li key={stands}>
            <a
              class={`${stands}${count === 0 ? " none" : ""}`}
              href={href({ view: "runs", ...(isChosen ? {} : { stands }) })}
              aria-current={isChosen ? "true" : undefined}
            >
              <b>{count}</b>
              <span class="word">{stands === "waits" ? waiting(count, approves) : standings[stands].word}</span>
              <span class="more-words">{detail(stands, list)}</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function waiting(count: number, approves: boolean): string {
  const verb = count === 1 ? "waits" : "wait";
  return approves ? `${verb} for you` : `${verb} for a person`;
}

function detail(stands: (typeof counted)[number], { runs, records, whole, counts }: RunList): string {
  const own = runs.filter((row) => row.stands === stands);
  if (own.length === 0 && stands !== "finished") return "none";
  switch (stands) {
    case "waits":
      return `longest ${age(own, (row) => row.now?.waitingSince, "oldest")}`;
    case "stuck":
      return "refused twice at one gate";
    case "working":
      return `last move ${age(own, (row) => row.changed, "newest")} ago`;
    case "quiet":
      return `no move for ${age(own, (row) => row.changed, "newest")}`;
    case "finished":
      return counts.finished === 0
        ? "none"
        : `${records.toLocaleString("en")} ${records === 1 ? "record" : "records"}${whole === true ? ", all whole" : ""}`;
  }
}

function age(
  rows: readonly RunRow[],
  at: (row: RunRow) => string | null | undefined,
  which: "oldest" | "newest",
): string {
  const times = rows.flatMap((row) => Date.parse(at(row) ?? "") || []);
  if (times.length === 0) return "?";
  const time = which === "oldest" ? Math.min(...times) : Math.max(...times);
  return lasting((clock() - time) / 1000);
}
