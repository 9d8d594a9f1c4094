import { join } from "node:path";
import type { CurrentDefinitions } from "../definitions/bots/live-bots.ts";
import { readSearchSettings } from "../definitions/settings/search-settings.ts";
import type { StandardsSearch } from "../engine/ports/search.ts";
import type { Sessions } from "../engine/sessions.ts";
import { createSearch } from "../retrieval/gated-search.ts";

/** The snapshots of a definitions folder: of what is loaded, and of the standards. */
export type StandardsSource = {
  readonly definitions: string;
  readonly current: CurrentDefinitions;
  readonly standards: CurrentDefinitions;
};

/** The standards of a definitions folder, with their index beside them, so that no copy is elsewhere. */
export function standardsIn({ definitions, current, standards }: StandardsSource, sessions: Sessions): StandardsSearch {
  return createSearch({
    async isThere() {
      const { entries, folder } = await current();
      const root = entries.get(folder);
      return root?.kind === "folder" && root.names.includes("standards");
    },
    session: async (id) => (await sessions.find(id))?.peek(),
    workflows: sessions.workflows,
    standards: async () => {
      const { openStandards } = await import("../retrieval/standards.ts");
      const { budget, embeddings, warnings } = readSearchSettings(await current());
      const folders = { folder: join(definitions, "standards"), indexFolder: join(definitions, "index") };
      const opened = openStandards({ ...folders, current: standards, embeddings });
      return {
        ...opened,
        async search(query, options = {}) {
          const answer = await opened.search(query, { ...options, budget: options.budget ?? budget });
          return { ...answer, warnings: [...warnings, ...answer.warnings] };
        },
      };
    },
  });
}
