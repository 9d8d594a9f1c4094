import type { VNode } from "preact";
import type { InboxItem } from "../../api/board-data.ts";
import { Since } from "../shared/clock.tsx";
import { UntrustedLine } from "../shared/untrusted-text.tsx";

/** The first two lines of a waiting item: its name and its age. */
export function WaitingItem({
  item: { title, since, label, handIn: submission },
}: {
  readonly item: InboxItem;
}): VNode {
  return (
    <>
      <span class="first-line">
        <strong>
          <UntrustedLine text={title} most={60} />
        </strong>
        <span class="waited">
          <Since at={since} />
        </span>
      </span>
      <span class="quiet">
        <UntrustedLine text={label} most={80} />
        {submission > 1 ? `, submission ${submission}` : ""}
      </span>
    </>
  );
}
