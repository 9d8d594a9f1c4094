import { signal } from "@preact/signals";
import type { VNode } from "preact";

/** How far the server's clock is ahead of this machine's: what is said of times goes by the server's. */
let ahead = 0;

/** The time by the server's clock, as fine as it is shown. */
const now = signal(Date.now());

/** Lets the clock run. */
export function startClock(): void {
  setInterval(tick, 5000);
}

function tick(): void {
  now.value = Date.now() + ahead;
}

/** Goes by what the server says the time is. */
export function setClock(at: string): void {
  const time = Date.parse(at);
  if (Number.isNaN(time)) return;
  ahead = time - Date.now();
  tick();
}

/** The time by the server's clock; what reads it is drawn again as time goes by. */
export function clock(): number {
  return now.value;
}

/** How long ago something was, with the very time for whoever wants it. */
export function Moment({ at }: { readonly at: string }): VNode {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {ago(Date.parse(at), clock())}
    </time>
  );
}

/** How long something lasts since a time. */
export function Since({ at }: { readonly at: string }): VNode {
  return (
    <time dateTime={at} title={`since ${new Date(at).toLocaleString()}`}>
      {lasting((clock() - Date.parse(at)) / 1000)}
    </time>
  );
}

/** How long ago a time was: the two largest units. */
export function ago(at: number, time: number): string {
  const seconds = Math.max(0, Math.round((time - at) / 1000));
  return seconds < 60 ? "just now" : `${lasting(seconds)} ago`;
}

/** So many seconds, in words as short as they are exact: `45 s`, `8 min`, `3 h 19 min`, `1 d 13 h`. */
export function lasting(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return two(hours, "h", minutes % 60, "min");
  return two(Math.floor(hours / 24), "d", hours % 24, "h");
}

function two(large: number, unit: string, small: number, smaller: string): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smaller}`;
}
