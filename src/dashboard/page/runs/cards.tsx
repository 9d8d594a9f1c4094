import type { VNode } from "preact";
import type { InboxItem } from "../../api/board-data.ts";
import { href } from "../board/location.ts";
import { EvidenceBar } from "../inbox/evidence-bar.tsx";
import { WaitingItem } from "../inbox/waiting-item.tsx";
import { UntrustedLine } from "../shared/untrusted-text.tsx";

/** The number of cards shown; the inbox has the rest. */
const most = 3;

/** The oldest waiting submissions; a card leads to the review and takes no answer itself. */
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
        <h2 id="waiting">{approves ? "Waiting for you" : "Waiting for approval"}</h2>
        {items.length > most ? <a href={href({ view: "inbox" })}>All {items.length} in the inbox</a> : null}
      </div>
      <ul class="cards">
        {items.slice(0, most).map((item) => (
          <li key={`${item.key} ${item.workflow} ${item.step}`}>
            <a class="waiting-card" data-row href={href({ view: "inbox", item })}>
              <WaitingItem item={item} />
              <span class="summary">
                <UntrustedLine
                  text={item.blocked === undefined ? item.summary : `Blocked: ${item.summary}`}
                  most={120}
                />
              </span>
              <span class="last-line">
                {item.blocked === undefined ? <EvidenceBar looked={item.looked} /> : <span />}
                <span class="look">{!approves ? "View only" : item.blocked === undefined ? "Review" : "Answer"}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
