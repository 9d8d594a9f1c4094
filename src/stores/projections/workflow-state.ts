import { type GrowingBytes, growingBytes } from "../../kit/growing-bytes.ts";
import type { CompletedEntry, Event } from "../../workflow/events.ts";
import type { StreamSnapshot } from "../../workflow/stream-snapshot.ts";
import type { Era, FilePieces } from "./file-pieces.ts";

/** Builds `workflow_state.json` event by event, at constant cost per event. */
export type StateProjection = {
  add(event: Event): void;
  /** The number of completed actions listed. */
  count(): number;
  /** The whole file in pieces; undefined if the stream has no position and no file should exist. */
  pieces(stream: StreamSnapshot): FilePieces | undefined;
  /** Identifies this content among all of the same history, cheaply. */
  stamp(stream: StreamSnapshot): string;
  /** The state to continue from later. */
  saved(): SavedState;
};

/** A projection's progress; `beginnings` counts how often its list restarted. */
export type SavedState = { readonly count: number; readonly beginnings: number; readonly lines: GrowingBytes };

/** Starts or continues the projection of a bot's `workflow_state.json`. */
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
    pieces(stream) {
      const position = positionOf(bot, stream);
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
    stamp: (stream) => JSON.stringify([beginnings, count, positionOf(bot, stream) ?? null]),
  };
}

/** A file that fits into one disk block is written whole, position first; a longer one begins with its list, so that only its end is rewritten. */
const small = 4096;
const listOpens = '{\n  "completed_actions": [';
const nothing = Buffer.alloc(0);
const whole: Era = { name: "whole" };

function positionOf(bot: string, { focus, runs }: StreamSnapshot): object | undefined {
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

/** The path of a step in published files: `<bot>.<workflow>.<step>`, or a workflow without a step. */
export function stepPath(bot: string, workflow: string, step = ""): string {
  const behavior = workflow === "" || bot === "" ? `${bot}${workflow}` : `${bot}.${workflow}`;
  return step === "" || behavior === "" ? `${behavior}${step}` : `${behavior}.${step}`;
}

/** Caches step paths as JSON text, since a history repeats the same few. */
export function quotedPaths(bot: string): (workflow: string, step?: string) => string {
  const known = new Map<string, Map<string, string>>();
  return (workflow, step = "") => {
    const steps = known.get(workflow) ?? new Map<string, string>();
    const path = steps.get(step) ?? JSON.stringify(stepPath(bot, workflow, step));
    if (!steps.has(step)) known.set(workflow, steps.set(step, path));
    return path;
  };
}
