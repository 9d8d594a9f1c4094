import { jsonHeaders } from "../../http/headers.ts";
import type { LiveEvent } from "./board-data.ts";
import type { RowCache } from "./row-cache.ts";

/**
 * Streams live events; a slow page gets only the latest of each run, and `mayGoOn` is asked at every beat, because a token may be revoked.
 */
export function liveStream(
  live: Pick<RowCache, "listen">,
  mayGoOn: () => Promise<boolean>,
  left: () => void,
): Response {
  const encoder = new TextEncoder();
  const waiting = new Map<string, LiveEvent>();
  let wake: (() => void) | undefined;
  let isOver = false;
  let stop: () => void = () => undefined;
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    stop();
    left();
    wake?.();
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start() {
        stop = live.listen({
          hear(event) {
            waiting.set(eventKey(event), event);
            if (event.type === "beat")
              mayGoOn().then(
                (may) => (may ? undefined : end()),
                () => undefined,
              );
            wake?.();
          },
          end,
        });
      },
      async pull(controller) {
        while (waiting.size === 0 && !isOver)
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        if (isOver) return controller.close();
        const events = [...waiting.values()];
        waiting.clear();
        controller.enqueue(encoder.encode(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")));
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
  const headers = { ...jsonHeaders, "content-type": "text/event-stream; charset=utf-8", "x-accel-buffering": "no" };
  return new Response(body, { headers });
}

/** Names the event that a new one replaces. */
function eventKey(event: LiveEvent): string {
  return event.type === "run" ? `run ${event.row.key}` : event.type === "gone" ? `run ${event.key}` : event.type;
}
