import { setTimeout as wait } from "node:timers/promises";
import type { OpenedWorkplace } from "../compose.ts";

/** Desks that begin meanwhile are found within this time, in milliseconds. */
const pauseMs = 80;

/** Acts at once, and again whenever something may have been recorded in any history; ends with the process. */
export async function follow(workplace: OpenedWorkplace, act: () => Promise<void>): Promise<never> {
  const followed = new Set<string>();
  let isDue = true;
  for (;;) {
    for (const [at, { log }] of (await workplace.logs()).entries()) {
      for (const id of await log.desks()) {
        const key = JSON.stringify([at, id]);
        if (followed.has(key)) continue;
        followed.add(key);
        isDue = true;
        log.follow(id, () => {
          isDue = true;
        });
      }
    }
    if (isDue) {
      isDue = false;
      await act();
    }
    await wait(pauseMs);
  }
}
