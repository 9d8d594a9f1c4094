import { setTimeout as wait } from "node:timers/promises";
import type { OpenedWorkplace } from "../../app/open-workplace.ts";

/** The milliseconds between two looks at what is due. */
const pauseMs = 80;

/** Acts once, and again after every change in any history, until the process ends. */
export async function onEveryChange(workplace: OpenedWorkplace, act: () => Promise<void>): Promise<never> {
  const followed = new Set<string>();
  let isDue = true;
  for (;;) {
    for (const { area, log } of await workplace.logs()) {
      if (followed.has(area)) continue;
      followed.add(area);
      isDue = true;
      log.follow(() => {
        isDue = true;
      });
    }
    if (isDue) {
      isDue = false;
      await act();
    }
    await wait(pauseMs);
  }
}
