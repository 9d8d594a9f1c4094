import type { VNode } from "preact";
import type { InboxItem } from "../../http/board/board-data.ts";
import { href } from "../board/place.ts";
import { LookedBar } from "../inbox/looked.tsx";
import { Waiting } from "../inbox/waiting.tsx";
import { OutsideLine } from "../shared/outside-text.tsx";

/** So many are shown; the others are in the inbox. */
const most = 3;

/** What has waited longest. No card takes an answer: it leads to what the answer would be about. */
export function Cards({
  items,
  approves,
}: {
  readonly items: readonly InboxItem[];
  readonly approves: boolean;
}): VNode | null {
  if (items.length === 0) return null;
  return (
    <section aria-labelledby="waiting">
      <div class="list-head">
        <h2 id="waiting">{approves ? "Waits for you" : "Waits for a person"}</h2>
        {items.length > most ? <a href={href({ view: "inbox" })}>All {items.length} in the inbox</a> : null}
      </div>
      <ul class="cards">
        {items.slice(0, most).map((item) => (
          <li key={`${item.key} ${item.workflow} ${item.step}`}>
            <a class="waiting-card" data-row href={href({ view: "inbox", item })}>
              <Waiting item={item} />
              <span class="summary">
                <OutsideLine text={item.summary} most={120} />
              </span>
              <span class="last-line">
                <LookedBar looked={item.looked} />
                <span class="look">Look</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
