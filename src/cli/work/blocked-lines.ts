import type { StreamOverview } from "../../engine/run-status.ts";
import { localTime } from "../../kit/local-time.ts";
import { runArgument } from "../../messages/approval-texts.ts";
import { responseCommandsFor } from "../../messages/blocked-texts.ts";
import { stepTitle } from "../../messages/stream-words.ts";
import { oneLine, paint } from "../terminal/print.ts";
import type { LoadedRun } from "./status-data.ts";

/** Formats every blocked step of a run and of its items: its reason, and the commands with which a person responds. */
export function blockedLines({ overview, name, waitingItems }: LoadedRun<object>): string[] {
  return [...stepLines(overview, name), ...waitingItems.flatMap((item) => stepLines(item, item.id.name))];
}

function stepLines({ id, workflows }: StreamOverview, name: string): string[] {
  return workflows.flatMap(({ workflow, steps }) =>
    steps.flatMap((step) => {
      const { blocked, waitingSince = "", atBound } = step;
      if (blocked === undefined) return [];
      const run = id.kind === "session" ? name : runArgument(id, { workflow });
      const place = id.kind === "session" ? `${stepTitle(id, step)} of ${name}` : `${id.name}.${workflow}.${step.step}`;
      return [
        paint("yellow", `! ${oneLine(place)} has been blocked since ${localTime(waitingSince)}: ${oneLine(blocked)}`),
        ...responseCommandsFor(run, atBound).map((command) => `    ${oneLine(command)}`),
      ];
    }),
  );
}
