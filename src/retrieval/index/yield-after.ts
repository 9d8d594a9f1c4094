import { setImmediate as turn } from "node:timers/promises";

/** Yields to other work after a while; undefined if there is nothing to wait for. */
export function yieldAfter(longest = 8): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longest) return undefined;
    return turn().then(() => {
      since = performance.now();
    });
  };
}
