import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { durationText } from "../../overview/duration-text.ts";
import { dateText } from "./date-text.ts";

/** The offset of the server's clock, by which all times are shown. */
let clockOffset = 0;

/** The current time by the server's clock. */
const now = signal(Date.now());

/** Starts the clock. */
export function startClock(): void {
  setInterval(tick, 5000);
}

function tick(): void {
  now.value = Date.now() + clockOffset;
}

/** Sets the clock to the server's time. */
export function setClock(at: string): void {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return;
  clockOffset = time - Date.now();
  tick();
}

/** Returns the server's time, and redraws its readers as it advances. */
export function clock(): number {
  return now.value;
}

/** A relative time with the exact time as its title. */
export function TimeAgo({ at }: { readonly at: string }): VNode {
  return (
    <time dateTime={at} title={dateText(at)}>
      {agoText(Date.parse(at), clock())}
    </time>
  );
}

/** The duration since a time. */
export function Since({ at }: { readonly at: string }): VNode {
  return (
    <time dateTime={at} title={`since ${dateText(at)}`}>
      {durationText((clock() - Date.parse(at)) / 1000)}
    </time>
  );
}

/** Formats how long ago a time was. */
export function agoText(at: number, time: number): string {
  const seconds = Math.max(0, Math.round((time - at) / 1000));
  return seconds < 60 ? "just now" : `${durationText(seconds)} ago`;
}
