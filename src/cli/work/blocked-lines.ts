import { defined } from "../../kit/defined.ts";
import { localTime } from "../../kit/local-time.ts";
import { responseCommands } from "../../messages/blocked-texts.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { oneLine, paint } from "../terminal/print.ts";
import type { StatusData } from "./collected-status.ts";

/** Formats every blocked step first: its reason, and the commands with which a person responds. */
export function blockedLines({ bots, runs, sessions }: Omit<StatusData, "sessionWarnings">): string[] {
  const lines = [
    ...bots.flatMap(({ bot, run, workflows }) =>
      workflows.flatMap(({ workflow, steps }) =>
        steps.flatMap(({ step, blocked, waitingSince }) =>
          blockedStepLines(streamOf(bot, run), workflow, `${bot}.${workflow}.${step}`, blocked, waitingSince),
        ),
      ),
    ),
    ...runs.flatMap(({ bot, run, behavior, action, blocked, waiting_since }) =>
      blockedStepLines(streamOf(bot, run), behavior ?? "", [bot, behavior, action].join("."), blocked, waiting_since),
    ),
    ...sessions.flatMap(({ session_id: name, current_phase: phase, workflow_type, blocked, waiting_since }) =>
      blockedStepLines({ kind: "session", name }, workflow_type, `Phase ${phase} of ${name}`, blocked, waiting_since),
    ),
  ];
  return lines.length === 0 ? [] : [...lines, ""];
}

/** Formats one blocked step, or nothing if it is not blocked. */
function blockedStepLines(
  id: StreamId,
  workflow: string,
  step: string,
  blocked: string | undefined,
  since = "",
): string[] {
  if (blocked === undefined) return [];
  return [
    paint("yellow", `! ${oneLine(step)} has been blocked since ${localTime(since)}: ${oneLine(blocked)}`),
    ...responseCommands(id, { workflow }).map((command) => `    ${oneLine(command)}`),
  ];
}

function streamOf(name: string, run: string | undefined): StreamId {
  return { kind: "bot", name, ...defined({ run }) };
}
