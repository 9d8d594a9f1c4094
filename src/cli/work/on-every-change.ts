import { setTimeout as wait } from "node:timers/promises";
import type { OpenedWorkplace } from "../../app/open-workplace.ts";

/** The milliseconds within which new streams are found. */
const pauseMs = 80;

/** Acts once, and again after every change in any history, until the process ends. */
export async function onEveryChange(workplace: OpenedWorkplace, act: () => Promise<void>): Promise<never> {
  const followed = new Set<string>();
  let isDue = true;
  for (;;) {
    for (const [at, { log }] of (await workplace.logs()).entries()) {
      for (const id of await log.streams()) {
        const key = JSON.stringify([at, id]);
        if (followed.has(key)) continue;
        followed.add(key);
        isDue = true;
        log.watch(id, () => {
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
