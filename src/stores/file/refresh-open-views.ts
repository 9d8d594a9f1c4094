import { join } from "node:path";
import { systemClock } from "../../kit/system-clock.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { fileStore } from "./file-store.ts";
import { openViews } from "./open-views.ts";
import { engineFolder } from "./stream-paths.ts";

/** Updates the views of streams whose last writer was killed before it could. */
export async function refreshOpenViews(area: string, streams: readonly StreamId[]): Promise<void> {
  const store = fileStore(area, { clock: systemClock });
  const views = openViews(area, join(engineFolder(area), "tmp"));
  try {
    for (const id of streams) views.show(id, (await store.log.load(id)).stream);
  } finally {
    store.close();
  }
}
