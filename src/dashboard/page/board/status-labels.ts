import type { RunCondition } from "../../api/board-data.ts";
import type { IconName } from "../shared/icon.tsx";

/** The label and icon of each run status, most urgent first. */
export const statusLabels: Readonly<
  Record<RunCondition, { readonly word: string; readonly badge: string; readonly icon: IconName }>
> = {
  waits: { word: "waiting for approval", badge: "Waiting for approval", icon: "pause" },
  stuck: { word: "stuck", badge: "Stuck", icon: "cross" },
  working: { word: "working", badge: "Working", icon: "play" },
  quiet: { word: "idle", badge: "Idle", icon: "moon" },
  finished: { word: "finished", badge: "Finished", icon: "check" },
  archived: { word: "archived", badge: "Archived", icon: "box" },
};

/** The order in which statuses are listed. */
export const statusOrder: readonly RunCondition[] = ["waits", "stuck", "working", "quiet", "finished", "archived"];

/** The meaning of each sign on a map. */
export const signLabels: Readonly<Record<string, string>> = {
  d: "done",
  r: "done after a refusal",
  k: "skipped",
  o: "open",
  w: "waiting for approval",
  s: "stuck",
  n: "next",
  ".": "upcoming",
};

/** Returns the class of a sign; unknown signs count as upcoming. */
export function signClass(sign: string): string {
  return `sign ${sign in signNames ? signNames[sign] : "to-come"}`;
}

const signNames: Readonly<Record<string, string>> = {
  d: "done",
  r: "retried",
  k: "skipped",
  o: "open",
  w: "waits",
  s: "stuck",
  n: "next",
  ".": "to-come",
};

/** Returns the icon of a sign. */
export function signIcon(sign: string): IconName | undefined {
  return signIcons[sign];
}

const signIcons: Readonly<Record<string, IconName>> = {
  d: "check",
  r: "check",
  k: "skip",
  o: "play",
  w: "pause",
  s: "cross",
};

/** Returns the signs to draw: only the current workflow shows what is next. */
export function visibleSigns(signs: string, workflow: string, now: string | undefined): string {
  return now === undefined || workflow === now ? signs : signs.replaceAll("n", ".");
}
