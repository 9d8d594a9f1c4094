import type { LiveEvent } from "../../api/board-data.ts";
import { request } from "../api-client.ts";

/** The state of the live connection: connecting, live, broken since a time and retrying, or refused. */
export type ConnectionState =
  | { readonly kind: "asking" }
  | { readonly kind: "live" }
  | { readonly kind: "behind"; readonly since: number }
  | { readonly kind: "refused" };

/** The receiver of a live connection. */
export type LiveListener = { onEvent(event: LiveEvent): void; onState(state: ConnectionState): void };

/** The silence after which a connection counts as dead; the server sends a beat more often. */
const maxSilenceMs = 45_000;
const longestPause = 8_000;

/** Receives live events until stopped, and reconnects with a growing delay. */
export async function followServer(listener: LiveListener, stop: AbortSignal): Promise<void> {
  let since: number | undefined;
  for (let tries = 0; !stop.aborted; tries++) {
    const ended = await readEvents(stop, (event) => {
      if (event.type === "hello") {
        tries = 0;
        since = undefined;
        listener.onState({ kind: "live" });
      }
      listener.onEvent(event);
    });
    if (stop.aborted) return;
    if (ended === "refused") return listener.onState({ kind: "refused" });
    since ??= Date.now();
    listener.onState({ kind: "behind", since });
    await pause(Math.min(longestPause, 250 * 2 ** tries) * (0.75 + Math.random() / 2), stop);
  }
}

async function readEvents(stop: AbortSignal, hear: (event: LiveEvent) => void): Promise<"broken" | "refused"> {
  const giveUp = new AbortController();
  const signal = AbortSignal.any([stop, giveUp.signal]);
  let watch = setTimeout(() => giveUp.abort(), maxSilenceMs);
  try {
    const answer = await request("live", { headers: { accept: "text/event-stream" }, signal });
    if (answer.status === 401 || answer.status === 403) return "refused";
    if (!answer.ok || answer.body === null) return "broken";
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return "broken";
      clearTimeout(watch);
      watch = setTimeout(() => giveUp.abort(), maxSilenceMs);
      const blocks = (rest + value).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = dataOf(block);
        if (data !== "") hear(JSON.parse(data));
      }
    }
  } catch {
    return "broken";
  } finally {
    clearTimeout(watch);
  }
}

function dataOf(block: string): string {
  return block
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []))
    .join("\n");
}

/** Waits, but stops early when the network returns or the page becomes visible. */
function pause(time: number, stop: AbortSignal): Promise<void> {
  return new Promise((go) => {
    const over = (): void => {
      clearTimeout(timer);
      removeEventListener("online", over);
      document.removeEventListener("visibilitychange", over);
      stop.removeEventListener("abort", over);
      go();
    };
    const timer = setTimeout(over, time);
    addEventListener("online", over);
    document.addEventListener("visibilitychange", over);
    stop.addEventListener("abort", over);
  });
}
