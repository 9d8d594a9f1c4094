import type { VNode } from "preact";

/** How long ago something was, with the very time for whoever wants it. */
export function Moment({ at }: { readonly at: string }): VNode {
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {ago(Date.parse(at), Date.now())}
    </time>
  );
}

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** How long ago a time was, in the largest unit that is full. */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 60) return "just now";
  if (seconds < 3600) return words.format(-Math.floor(seconds / 60), "minute");
  if (seconds < 86_400) return words.format(-Math.floor(seconds / 3600), "hour");
  return words.format(-Math.floor(seconds / 86_400), "day");
}
