import type { StaleProof } from "../../engine/ports/checks.ts";
import type { BoardRun } from "./board-runs.ts";

/** The stale checks of a run, from the last result if finding them takes long. */
export type StaleCache = {
  get(stream: BoardRun): Promise<readonly StaleProof[]>;
  /** Forgets all results. */
  close(): void;
};

/** The milliseconds to wait for hashing. */
const defaultWaitMs = 400;

/** The number of runs remembered. */
export const mostRemembered = 200;

/** Creates an empty cache; `find` finds the stale checks. */
export function staleCache(
  find: (stream: BoardRun) => Promise<readonly StaleProof[]>,
  patience = defaultWaitMs,
): StaleCache {
  const known = new Map<string, readonly StaleProof[]>();
  let isClosed = false;
  function remember(key: string, stale: readonly StaleProof[]): void {
    if (isClosed) return;
    known.delete(key);
    known.set(key, stale);
    const [oldest] = known.size > mostRemembered ? known.keys() : [];
    if (oldest !== undefined) known.delete(oldest);
  }
  return {
    async get(stream) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<readonly StaleProof[]>((resolve) => {
        timer = setTimeout(() => resolve(known.get(stream.key) ?? []), patience).unref();
      });
      const looking = find(stream).then((stale) => {
        remember(stream.key, stale);
        return stale;
      });
      try {
        return await Promise.race([looking.catch(() => []), late]);
      } finally {
        clearTimeout(timer);
      }
    },
    close() {
      isClosed = true;
      known.clear();
    },
  };
}
