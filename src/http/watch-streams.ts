import type { Identify } from "./identity.ts";
import { whenSent } from "./when-sent.ts";

/** The open streams of a server, each for as long as its caller's token counts. */
export type StreamWatch = {
  /** Ends a stream of events soon after its caller is no longer known. */
  whileAllowed(request: Request, response: Response): Response;
  close(): void;
};

/** The milliseconds between two looks at the tokens, which are asked for once for all streams. */
const lookMs = 400;

/** Watches streams; looks at nothing while there is none. */
export function watchStreams(identify: Identify): StreamWatch {
  const open = new Map<Request, AbortController>();
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    await Promise.all(
      [...open].map(async ([request, stop]) => {
        const who = await identify(request).catch(() => undefined);
        // A store or an issuer that does not answer revokes nothing.
        if (who !== undefined && "refused" in who && who.refused.status < 500) stop.abort();
      }),
    );
    if (open.size > 0) timer = setTimeout(() => void look(), lookMs).unref();
    else timer = undefined;
  };
  return {
    whileAllowed(request, response) {
      if (response.body === null || response.headers.get("content-type")?.startsWith("text/event-stream") !== true)
        return response;
      const stop = new AbortController();
      open.set(request, stop);
      timer ??= setTimeout(() => void look(), lookMs).unref();
      return whenSent(response, () => void open.delete(request), stop.signal);
    },
    close() {
      clearTimeout(timer);
      open.clear();
    },
  };
}
