import { promises } from "node:fs";
import { join } from "node:path";
import { readSearchSettings } from "../definitions/settings/search-settings.ts";
import type { DefinitionSnapshot } from "../definitions/snapshot/snapshot.ts";
import type { StandardsSearch } from "../engine/ports/search.ts";
import type { Sessions } from "../engine/sessions.ts";
import { createSearch } from "../retrieval/gated-search.ts";

/** The standards of a definitions folder, with their index beside them, so that no copy is elsewhere. */
export function standardsIn(definitions: string, sessions: Sessions, snapshot: DefinitionSnapshot): StandardsSearch {
  const folder = join(definitions, "standards");
  return createSearch({
    isThere: () =>
      promises.stat(folder).then(
        () => true,
        () => false,
      ),
    session: async (id) => (await sessions.find(id))?.peek(),
    workflows: sessions.workflows,
    standards: async () => {
      const { openStandards: standards } = await import("../retrieval/standards.ts");
      const settings = await snapshot.remember("search settings", () => readSearchSettings(definitions));
      const { budget, embeddings, warnings } = settings;
      const opened = standards({ folder, indexFolder: join(definitions, "index"), embeddings });
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
