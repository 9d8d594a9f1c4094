import type { StaleProof } from "../../engine/ports.ts";
import type { BoardDesk } from "./desks.ts";

/** What of a run is no longer proved: as it was found last, where finding it out anew takes long. */
export type StaleLater = {
  of(desk: BoardDesk): Promise<readonly StaleProof[]>;
  /** Forgets what was found, for good. */
  close(): void;
};

/** In milliseconds: files that are hashed for longer are waited for no longer. */
const usualPatience = 400;

/** Of so many runs it is remembered what was found last. */
export const mostRemembered = 200;

/** Begins with nothing found. `find` finds it out anew. */
export function staleLater(
  find: (desk: BoardDesk) => Promise<readonly StaleProof[]>,
  patience = usualPatience,
): StaleLater {
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
    async of(desk) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<readonly StaleProof[]>((resolve) => {
        timer = setTimeout(() => resolve(known.get(desk.key) ?? []), patience).unref();
      });
      const looking = find(desk).then((stale) => {
        remember(desk.key, stale);
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
