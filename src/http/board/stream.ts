import { jsonHeaders } from "../headers.ts";
import type { LiveEvent } from "./board-data.ts";
import type { KeptRows } from "./kept-rows.ts";

/**
 * What a page hears, as server-sent events. A page that reads slowly is told the newest of each run and nothing of what was before it,
 * so that what waits for it stays as small as the list itself. `mayGoOn` is asked at every beat: a token may have been taken back.
 */
export function liveStream(
  live: Pick<KeptRows, "listen">,
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
            waiting.set(nameOf(event), event);
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

/** What one event stands in the place of: an earlier one of the same run, or of the same kind. */
function nameOf(event: LiveEvent): string {
  return event.type === "run" ? `run ${event.row.key}` : event.type === "gone" ? `run ${event.key}` : event.type;
}
