import { join } from "node:path";
import type { OpenDefinitions } from "../definitions/open-definitions.ts";
import { readSearchSettings } from "../definitions/settings/search-settings.ts";
import type { StandardsSearch } from "../engine/ports/search.ts";
import type { Sessions } from "../engine/sessions.ts";
import { createSearch } from "../retrieval/gated-search.ts";

/** The standards of a definitions folder, with their index beside them, so that no copy is elsewhere. */
export function standardsIn({ folder, bots, standards }: OpenDefinitions, sessions: Sessions): StandardsSearch {
  return createSearch({
    async isThere() {
      const root = (await bots()).entries.get(folder);
      return root?.kind === "folder" && root.names.includes("standards");
    },
    session: async (id) => (await sessions.find(id))?.peek(),
    workflows: sessions.workflows,
    standards: async () => {
      const { openStandards } = await import("../retrieval/standards.ts");
      const folders = { folder: join(folder, "standards"), indexFolder: join(folder, "index") };
      return openStandards({ ...folders, ...readSearchSettings(await bots()), current: standards });
    },
  });
}
