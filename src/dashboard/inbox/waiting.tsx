import type { VNode } from "preact";
import type { InboxItem } from "../../http/board/board-data.ts";
import { Since } from "../shared/moment.tsx";
import { OutsideLine } from "../shared/outside-text.tsx";

/** What waits, and for how long: the first two lines of it wherever it is listed. */
export function Waiting({ item: { title, since, label, handIn } }: { readonly item: InboxItem }): VNode {
  return (
    <>
      <span class="first-line">
        <strong>
          <OutsideLine text={title} most={60} />
        </strong>
        <span class="waited">
          <Since at={since} />
        </span>
      </span>
      <span class="quiet">
        <OutsideLine text={label} most={80} />
        {handIn > 1 ? `, hand-in ${handIn}` : ""}
      </span>
    </>
  );
}
