import type { Desk } from "../../workflow/desk.ts";
import type { CompletedEntry, Event } from "../../workflow/events.ts";
import { type GrowingBytes, growingBytes } from "./growing-bytes.ts";
import type { Era, Pieces } from "./pieces.ts";
import { quotedPaths, stepPath } from "./step-path.ts";

/** What `workflow_state.json` shows, gathered event by event; adding one costs the same however long the history is. */
export type StateProjection = {
  add(event: Event): void;
  /** How many completed actions the file lists. */
  count(): number;
  /** The whole file at this point of the history, in pieces; undefined where the desk has no position and no file should stand. */
  pieces(desk: Desk): Pieces | undefined;
  /** Tells this content of the file from any other one of the same history, without the cost of the whole. */
  stamp(desk: Desk): string;
  /** What to begin from at another time. */
  saved(): SavedState;
};

/** How far a projection has come. `beginnings` says how often its list began anew. */
export type SavedState = { readonly count: number; readonly beginnings: number; readonly lines: GrowingBytes };

/** Begins the projection of one bot's `workflow_state.json`, or goes on with it. */
export function stateProjection(bot: string, from?: SavedState): StateProjection {
  let { lines, count, beginnings } = from ?? { lines: growingBytes(listOpens), count: 0, beginnings: 0 };
  let era: Era = { name: "list" };
  const paths = quotedPaths(bot);
  const list = ({ workflow, step, timestamp, duration }: CompletedEntry): void => {
    const lasted = duration === undefined ? "" : `,"duration":${duration}`;
    const entry = `{"action_state":${paths(workflow, step)},"timestamp":${JSON.stringify(timestamp)}${lasted}}`;
    lines.add(`${count === 0 ? "" : ","}\n    ${entry}`);
    count += 1;
  };
  const clear = (): void => {
    lines = growingBytes(listOpens);
    count = 0;
    beginnings += 1;
    era = { name: "list" };
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
    pieces(desk) {
      const position = positionOf(bot, desk);
      if (position === undefined) return undefined;
      const stable = lines.view();
      const end = count === 0 ? "]" : "\n  ]";
      const fields = JSON.stringify(position, null, 2).slice("{".length, -"\n}".length);
      const text = `{${fields},${stable.toString("utf8", 1, small)}${end}\n}\n`;
      if (stable.length < small && Buffer.byteLength(text) <= small)
        return { era: whole, stable: nothing, ending: Buffer.from(text) };
      return { era, stable, ending: Buffer.from(`${end},${fields}\n}\n`) };
    },
    saved: () => ({ lines, count, beginnings }),
    stamp: (desk) => JSON.stringify([beginnings, count, positionOf(bot, desk) ?? null]),
  };
}

/**
 * What fits into one block of a disk is written whole, and the position stands first. A longer file begins with its
 * list, so that all of it but the end is written once.
 */
const small = 4096;
const listOpens = '{\n  "completed_actions": [';
const nothing = Buffer.alloc(0);
const whole: Era = { name: "whole" };

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
