import { join } from "node:path";
import type { DeskId } from "../../engine/ports.ts";
import { fileStore } from "./file-store.ts";
import { openViews } from "./open-views.ts";
import { ownFolder } from "./places.ts";

/** Shows desks anew whose history went on without being shown: whoever wrote it was killed before it could. */
export async function refreshOpen(area: string, desks: readonly DeskId[]): Promise<void> {
  const store = fileStore(area, { clock: () => new Date() });
  const views = openViews(area, join(ownFolder(area), "tmp"));
  try {
    for (const id of desks) views.show(id, (await store.log.look(id)).desk);
  } finally {
    store.close();
  }
}
