import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { BoardHome, InboxData, InboxItem } from "../../http/board/board-data.ts";
import { href, type StepPlace } from "../board/place.ts";
import type { Asked } from "../live/use-asked.ts";
import { Missing, Notice } from "../shared/frame.tsx";
import { isNarrow } from "../shared/narrow.ts";
import { OutsideLine } from "../shared/outside-text.tsx";
import { Judged } from "./judged.tsx";
import { LookedBar } from "./looked.tsx";
import { Waiting } from "./waiting.tsx";

type Chosen = StepPlace & { readonly key: string };

/** What waits for people, oldest first, and one of them whole, to be answered beside its evidence. */
export function Inbox(given: {
  readonly home: BoardHome;
  readonly inbox: Asked<InboxData>;
  readonly item: Chosen | undefined;
}): VNode {
  const { home, inbox, item } = given;
  const { answered, again } = inbox;
  const [shown, setShown] = useState<Chosen>();
  if (answered === undefined || "no" in answered) return <Missing answered={answered} />;
  const { items } = answered.data;
  // On a screen with room the first is shown by itself: one click less.
  const [first] = items;
  const chosen = item ?? shown ?? (isNarrow.value ? undefined : first);
  // It stays when it is answered: what became of it is read where it was.
  if (item === undefined && shown === undefined && chosen !== undefined) setShown(chosen);
  const other = items.find((one) => !isSame(one, chosen));
  const isListed = !isNarrow.value || chosen === undefined;
  return (
    <div class="view inbox">
      <h1 class={chosen === undefined ? undefined : "aloud"}>Inbox</h1>
      {items.length === 0 && chosen === undefined ? <Empty /> : null}
      <div class={items.length === 0 ? "" : "inbox-columns"}>
        {isListed && items.length > 0 ? (
          <ul class="inbox-list" aria-label="Waiting, oldest first">
            {items.map((one) => (
              <Item key={`${one.key} ${one.workflow} ${one.step}`} item={one} isChosen={isSame(one, chosen)} />
            ))}
          </ul>
        ) : null}
        {chosen === undefined ? null : (
          <div class="judged">
            {isListed ? null : (
              <p class="crumbs">
                <a href={href({ view: "inbox" })}>Inbox, {items.length} waiting</a>
              </p>
            )}
            <Judged
              key={`${chosen.key} ${chosen.workflow} ${chosen.step}`}
              item={chosen}
              home={home}
              again={again}
              next={
                other === undefined ? (
                  <p>
                    <a href={href({ view: "run", key: chosen.key })}>See how the run goes on</a>
                  </p>
                ) : (
                  <p>
                    <a class="button" href={href({ view: "inbox", item: other })}>
                      Next: <OutsideLine text={`${other.title}, ${other.label}`} most={60} />
                    </a>
                  </p>
                )
              }
            />
          </div>
        )}
      </div>
    </div>
  );
}

function isSame(one: InboxItem, other: Chosen | undefined): boolean {
  return one.key === other?.key && one.workflow === other.workflow && one.step === other.step;
}

function Empty(): VNode {
  return (
    <Notice tone="good" title="Nothing waits for a person">
      <p>
        When a step needs somebody's word it appears here by itself, with everything that is needed to judge it. In the
        meantime: <a href={href({ view: "runs" })}>all runs</a>.
      </p>
    </Notice>
  );
}

function Item({ item, isChosen }: { readonly item: InboxItem; readonly isChosen: boolean }): VNode {
  return (
    <li>
      <a class="inbox-item" data-row href={href({ view: "inbox", item })} aria-current={isChosen ? "true" : undefined}>
        <Waiting item={item} />
        <span class="quiet small">
          <OutsideLine text={item.needs} most={80} />
        </span>
        <LookedBar looked={item.looked} />
      </a>
    </li>
  );
}
