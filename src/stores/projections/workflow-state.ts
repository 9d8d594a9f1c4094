import type { Desk } from "../../workflow/desk.ts";
import type { CompletedEntry, Event } from "../../workflow/events.ts";
import { stepPath } from "./step-path.ts";

/** What `workflow_state.json` shows, gathered event by event; adding one costs the same however long the history is. */
export type StateProjection = {
  add(event: Event): void;
  /** How many completed actions the file lists. */
  count(): number;
  /** The whole file at this point of the history; undefined where the desk has no position and no file should stand. */
  text(desk: Desk): string | undefined;
};

/** Begins the projection of one bot's `workflow_state.json`. */
export function stateProjection(bot: string): StateProjection {
  let lines = "";
  let count = 0;
  const list = (entry: CompletedEntry): void => {
    lines += `${count === 0 ? "" : ","}\n    ${JSON.stringify(listed(bot, entry))}`;
    count += 1;
  };
  const clear = (): void => {
    lines = "";
    count = 0;
  };
  return {
    add(event) {
      switch (event.type) {
        case "completed":
          return list({ workflow: event.workflow, step: event.step, timestamp: event.at, duration: event.duration });
        case "adopted":
          clear();
          return event.completed.forEach(list);
        case "began_anew":
          return clear();
        default:
          return;
      }
    },
    count: () => count,
    text(desk) {
      const position = positionOf(bot, desk);
      if (position === undefined) return undefined;
      const head = JSON.stringify(position, null, 2).slice(0, -"\n}".length);
      return `${head},\n  "completed_actions": [${lines}${count === 0 ? "" : "\n  "}]\n}\n`;
    },
  };
}

function positionOf(bot: string, { focus, runs }: Desk): object | undefined {
  if (focus === null) return undefined;
  const { workflow, step, state, timestamp } = focus;
  const completion = step === null ? undefined : runs.get(workflow)?.steps.get(step)?.completion;
  return {
    current_behavior: stepPath(bot, workflow),
    ...(step === null ? {} : { current_action: stepPath(bot, workflow, step) }),
    action_state: state,
    timestamp,
    ...(state === "completed" && completion?.finished === true ? { workflow_complete: true } : {}),
  };
}

function listed(bot: string, { workflow, step, timestamp, duration }: CompletedEntry): object {
  return {
    action_state: stepPath(bot, workflow, step),
    timestamp,
    ...(duration === undefined ? {} : { duration }),
  };
}
