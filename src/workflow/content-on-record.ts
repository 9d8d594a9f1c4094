import type { Desk } from "./desk.ts";
import type { ContentRecord, StepRef } from "./events.ts";
import { refOf } from "./refusals.ts";

/** What a completed step put on record. */
export type ContentOnRecord = {
  readonly ref: StepRef;
  readonly records: readonly ContentRecord[];
  readonly at: string;
};

/** What the completed steps put on record, in the order in which they were completed. */
export function contentOnRecord({ runs }: Desk): readonly ContentOnRecord[] {
  return [...runs.values()]
    .flatMap((run) =>
      [...run.steps].flatMap(([step, { status, handed, completion, startedAt }]) =>
        status === "completed" && handed.content !== undefined
          ? [{ ref: refOf(run, step), records: handed.content, at: completion?.at ?? startedAt }]
          : [],
      ),
    )
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
