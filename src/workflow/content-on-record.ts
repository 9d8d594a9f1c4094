import type { ContentRecord, StepRef } from "./events.ts";
import { refOf } from "./refuse.ts";
import type { StreamSnapshot } from "./stream-snapshot.ts";

/** The content that a completed step put on record. */
export type ContentOnRecord = {
  readonly ref: StepRef;
  readonly records: readonly ContentRecord[];
  readonly at: string;
};

/** The content of all completed steps, in order of completion. */
export function contentOnRecord({ runs }: StreamSnapshot): readonly ContentOnRecord[] {
  return [...runs.values()]
    .flatMap((run) =>
      [...run.steps].flatMap(([step, { status, submitted, completion, startedAt }]) =>
        status === "completed" && submitted.content !== undefined
          ? [{ ref: refOf(run, step), records: submitted.content, at: completion?.at ?? startedAt }]
          : [],
      ),
    )
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
