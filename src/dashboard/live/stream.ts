import type { LiveEvent } from "../../http/board/board-data.ts";
import { request } from "../server.ts";

/** How a stream stands: it is asked for, it runs, it broke at that time and is tried again, or the server wants another token. */
export type StreamState =
  | { readonly kind: "asking" }
  | { readonly kind: "live" }
  | { readonly kind: "behind"; readonly since: number }
  | { readonly kind: "refused" };

/** Who hears a stream. */
export type Listener = { hear(event: LiveEvent): void; turned(state: StreamState): void };

/** A stream that says nothing for so long is dead, whatever the network says: a server beats more often than that. */
const silence = 45_000;
const longestPause = 8_000;

/** Hears the server until it is told to stop: what breaks is taken up again, soon at first. */
export async function hearServer(listener: Listener, stop: AbortSignal): Promise<void> {
  let since: number | undefined;
  for (let tries = 0; !stop.aborted; tries++) {
    const ended = await hearOnce(stop, (event) => {
      if (event.type === "hello") {
        tries = 0;
        since = undefined;
        listener.turned({ kind: "live" });
      }
      listener.hear(event);
    });
    if (stop.aborted) return;
    if (ended === "refused") return listener.turned({ kind: "refused" });
    since ??= Date.now();
    listener.turned({ kind: "behind", since });
    await pause(Math.min(longestPause, 250 * 2 ** tries) * (0.75 + Math.random() / 2), stop);
  }
}

async function hearOnce(stop: AbortSignal, hear: (event: LiveEvent) => void): Promise<"broken" | "refused"> {
  const giveUp = new AbortController();
  const signal = AbortSignal.any([stop, giveUp.signal]);
  let watch = setTimeout(() => giveUp.abort(), silence);
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
      watch = setTimeout(() => giveUp.abort(), silence);
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

/** Waits, but no longer than until the network is back or somebody looks at the page again. */
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
