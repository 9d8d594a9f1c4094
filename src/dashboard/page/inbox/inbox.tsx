import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { BoardHome, InboxData, InboxItem } from "../../api/board-data.ts";
import { href, type StepLocation } from "../board/location.ts";
import type { Resource } from "../live/use-resource.ts";
import { LoadingOrError, Notice } from "../shared/frame.tsx";
import { isNarrow } from "../shared/narrow.ts";
import { UntrustedLine } from "../shared/untrusted-text.tsx";
import { EvidenceBar } from "./evidence-bar.tsx";
import { InboxReview } from "./inbox-review.tsx";
import { WaitingItem } from "./waiting-item.tsx";

type ChosenItem = StepLocation & { readonly key: string };

/** The steps waiting for a person, blocked ones first, with one of them shown in full. */
export function Inbox(given: {
  readonly home: BoardHome;
  readonly inbox: Resource<InboxData>;
  readonly item: ChosenItem | undefined;
}): VNode {
  const { home, inbox, item } = given;
  const { answer, reload } = inbox;
  const [shown, setShown] = useState<ChosenItem>();
  if (answer === undefined || "no" in answer) return <LoadingOrError answered={answer} />;
  const { items } = answer.data;
  // On a wide screen, show the first item at once.
  const [first] = items;
  const chosen = item ?? shown ?? (isNarrow.value ? undefined : first);
  // Keep an answered item, so that its result stays visible.
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
            <InboxReview
              key={`${chosen.key} ${chosen.workflow} ${chosen.step}`}
              item={chosen}
              home={home}
              again={reload}
              next={
                other === undefined ? (
                  <p>
                    <a href={href({ view: "run", key: chosen.key })}>See the run</a>
                  </p>
                ) : (
                  <p>
                    <a class="button" href={href({ view: "inbox", item: other })}>
                      <UntrustedLine text={`Next: ${other.title}`} most={60} />
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

function isSame(one: InboxItem, other: ChosenItem | undefined): boolean {
  return one.key === other?.key && one.workflow === other.workflow && one.step === other.step;
}

function Empty(): VNode {
  return (
    <Notice tone="good" title="Nothing is waiting for you">
      <p>
        When a step needs approval, it appears here with everything you need to review it. In the meantime:{" "}
        <a href={href({ view: "runs" })}>all runs</a>.
      </p>
    </Notice>
  );
}

function Item({ item, isChosen }: { readonly item: InboxItem; readonly isChosen: boolean }): VNode {
  return (
    <li>
      <a class="inbox-item" data-row href={href({ view: "inbox", item })} aria-current={isChosen ? "true" : undefined}>
        <WaitingItem item={item} />
        <span class="quiet small">
          <UntrustedLine text={item.needs} most={80} />
        </span>
        {item.blocked === undefined ? (
          <EvidenceBar looked={item.looked} waived={item.waived} />
        ) : (
          <span class="small blocked-reason">
            Blocked: <UntrustedLine text={item.summary} most={120} />
          </span>
        )}
      </a>
    </li>
  );
}
