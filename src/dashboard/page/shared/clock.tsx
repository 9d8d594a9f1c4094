import { signal } from "@preact/signals";
import type { VNode } from "preact";

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
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {agoText(Date.parse(at), clock())}
    </time>
  );
}

/** The duration since a time. */
export function Since({ at }: { readonly at: string }): VNode {
  return (
    <time dateTime={at} title={`since ${new Date(at).toLocaleString()}`}>
      {durationText((clock() - Date.parse(at)) / 1000)}
    </time>
  );
}

/** Formats how long ago a time was. */
export function agoText(at: number, time: number): string {
  const seconds = Math.max(0, Math.round((time - at) / 1000));
  return seconds < 60 ? "just now" : `${durationText(seconds)} ago`;
}

/** Formats a duration with its two largest units: `45 s`, `8 min`, `3 h 19 min`, `1 d 13 h`. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return twoUnits(hours, "h", minutes % 60, "min");
  return twoUnits(Math.floor(hours / 24), "d", hours % 24, "h");
}

function twoUnits(large: number, unit: string, small: number, smaller: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smaller}`;
}
