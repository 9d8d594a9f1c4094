import type { VNode } from "preact";
import { countText } from "../../../kit/count-text.ts";
import type { RunCondition, RunList } from "../../api/board-data.ts";
import { conditions } from "../../overview/conditions.ts";
import { durationText } from "../../overview/duration-text.ts";
import { href } from "../board/location.ts";
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
              <span class="word">
                {condition === "waits" && approves ? "waiting for you" : conditions[condition].badge.toLowerCase()}
              </span>
              <span class="more-words">{countDetail(condition, list)}</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function countDetail(condition: (typeof countedStatuses)[number], { times, records, whole, counts }: RunList): string {
  if (counts[condition] === 0) return "none";
  switch (condition) {
    case "waits":
      return `longest ${ageText(times.waits)}`;
    case "stuck":
      return "refused twice by the same gate";
    case "working":
      return `last activity ${ageText(times.working)} ago`;
    case "quiet":
      return `no activity for ${ageText(times.quiet)}`;
    case "finished":
      return `${countText(records, "record")}${whole === null ? "" : whole ? ", all intact" : ", not all intact"}`;
  }
}

function ageText(at: string | null): string {
  return at === null ? "?" : durationText((clock() - Date.parse(at)) / 1000);
}
