import { setImmediate as turn } from "node:timers/promises";

/** Lets others have their turn when we have been at work for a while; undefined where there is nothing to wait for. */
export function breather(longest = 8): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longest) return undefined;
    return turn().then(() => {
      since = performance.now();
    });
  };
}
