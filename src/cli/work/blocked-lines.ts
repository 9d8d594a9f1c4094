import { defined } from "../../kit/defined.ts";
import { localTime } from "../../kit/local-time.ts";
import { responseCommands } from "../../messages/blocked-texts.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { oneLine, paint } from "../terminal/print.ts";
import type { StatusData } from "./collected-status.ts";
import type { ShownCurrentStep } from "./status-data.ts";

/** Formats every blocked step first: its reason, and the commands with which a person responds. */
export function blockedLines({ bots, runs, sessions }: Omit<StatusData, "sessionWarnings">): string[] {
  const lines = [
    ...bots.flatMap(({ bot, run, workflows }) =>
      workflows.flatMap(({ workflow, steps }) =>
        steps.flatMap(({ step, blocked, waitingSince, atBound }) =>
          blockedStepLines(
            { id: streamOf(bot, run), workflow, step: `${bot}.${workflow}.${step}` },
            { blocked, waiting_since: waitingSince, at_bound: atBound },
          ),
        ),
      ),
    ),
    ...runs.flatMap(({ bot, run, behavior, action, ...current }) =>
      blockedStepLines(
        { id: streamOf(bot, run), workflow: behavior ?? "", step: [bot, behavior, action].join(".") },
        current,
      ),
    ),
    ...sessions.flatMap(({ session_id: name, current_phase: phase, workflow_type: workflow, ...current }) =>
      blockedStepLines({ id: { kind: "session", name }, workflow, step: `Phase ${phase} of ${name}` }, current),
    ),
    ...[...bots, ...sessions].flatMap(({ waiting_items: items = [] }) =>
      items.flatMap(({ session: name, phase, ...current }) =>
        blockedStepLines({ id: { kind: "session", name }, workflow: "", step: `Phase ${phase} of ${name}` }, current),
      ),
    ),
  ];
  return lines.length === 0 ? [] : [...lines, ""];
}

/** Formats one blocked step, or nothing if it is not blocked. */
function blockedStepLines(
  { id, workflow, step }: { readonly id: StreamId; readonly workflow: string; readonly step: string },
  { blocked, waiting_since: since = "", at_bound: isAtBound }: BlockedParts,
): string[] {
  if (blocked === undefined) return [];
  return [
    paint("yellow", `! ${oneLine(step)} has been blocked since ${localTime(since)}: ${oneLine(blocked)}`),
    ...responseCommands(id, { workflow }, isAtBound).map((command) => `    ${oneLine(command)}`),
  ];
}

type BlockedParts = {
  readonly [Part in "blocked" | "waiting_since" | "at_bound"]?: ShownCurrentStep[Part] | undefined;
};

function streamOf(name: string, run: string | undefined): StreamId {
  return { kind: "bot", name, ...defined({ run }) };
}
