import type { StandsAs } from "../../http/board/board-data.ts";
import type { IconName } from "../shared/icon.tsx";

/** How a run stands, as it is said and drawn; in the order of what wants a person most. */
export const standings: Readonly<
  Record<StandsAs, { readonly word: string; readonly badge: string; readonly icon: IconName }>
> = {
  waits: { word: "wait for a person", badge: "Waits for a person", icon: "pause" },
  stuck: { word: "stuck", badge: "Stuck", icon: "cross" },
  working: { word: "working", badge: "Working", icon: "play" },
  quiet: { word: "quiet", badge: "Quiet", icon: "moon" },
  finished: { word: "finished", badge: "Finished", icon: "check" },
  archived: { word: "archived", badge: "Archived", icon: "box" },
};

/** The order in which they are listed. */
export const standsInOrder: readonly StandsAs[] = ["waits", "stuck", "working", "quiet", "finished", "archived"];

/** What a sign on a map means. */
export const signWords: Readonly<Record<string, string>> = {
  d: "done",
  r: "done after a refusal",
  k: "skipped",
  o: "open",
  w: "waits for a person",
  s: "stuck",
  n: "next",
  ".": "to come",
};

/** The class of a sign on a map; what is unknown is drawn as to come. */
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

/** The picture of a sign. */
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

/** A map as it is drawn: where a run may go on in several workflows, only the one that it is in says what is next. */
export function drawnSigns(signs: string, workflow: string, now: string | undefined): string {
  return now === undefined || workflow === now ? signs : signs.replaceAll("n", ".");
}
