import type { PinStore } from "../engine/ports/pins.ts";
import type { Team } from "../engine/ports/team.ts";
import { mirrorContent } from "../stores/content/mirrored-content.ts";
import { fileContent } from "../stores/file/file-content.ts";
import { eraseViews } from "../stores/file/file-forgetting.ts";
import { fileViews } from "../stores/file/file-views.ts";
import { openAreaMemory } from "../stores/file/trust/area-memory.ts";
import { openMachineState } from "../stores/file/trust/machine-state.ts";
import { type DatabaseOptions, openDatabase } from "../stores/postgres/database.ts";
import { openHistoryWitness } from "../stores/postgres/history-witness.ts";
import { forgottenHashes } from "../stores/postgres/postgres-forgetting.ts";
import { postgresPins } from "../stores/postgres/postgres-pins.ts";
import { postgresStore } from "../stores/postgres/postgres-store.ts";
import { postgresTeam } from "../stores/postgres/postgres-team.ts";
import type { StoreLocation } from "../stores/postgres/store-location.ts";
import type { OpenStore } from "./open-workplace.ts";

/** A database, with the stores of each project. */
export type OpenedPostgres = {
  /** For a server without a work tree: content is in the database, and views are made on request. */
  store(project: string): OpenStore;
  /** For a process in a work tree, whose files stay there. */
  storeWithFiles(project: string): OpenStore;
  pins(project: string): PinStore;
  readonly team: Team;
  close(): Promise<void>;
};

/** Opens the database of an address; connects on first use. Throws a readable error for an invalid address. */
export function openPostgres(url: string, options: DatabaseOptions = {}): OpenedPostgres {
  const database = openDatabase(url, options);
  /** A database is known by its address: reached by another one, it starts with no memory, like a moved project. */
  const witnessOf =
    (project: string, folder?: string): NonNullable<StoreLocation["witness"]> =>
    (area) => {
      const machine = openMachineState();
      if (folder !== undefined && !machine.isOutside(folder)) return undefined;
      return openHistoryWitness(
        openAreaMemory(machine, ["postgres", database.place, database.schema, project, area].join("\n")),
        () => forgottenHashes({ database, project, area: async () => area }),
      );
    };
  return {
    store:
      (project) =>
      (_, { name }) =>
        postgresStore({ database, project, area: name, witness: witnessOf(project) }),
    storeWithFiles:
      (project) =>
      (area, { name, clock, guarded, areas }) => {
        const store = postgresStore({ database, project, area: name, witness: witnessOf(project, area) });
        const views = fileViews(area, store.log, clock);
        const { forgetting } = store;
        return {
          ...store,
          views,
          forgetting: {
            ...forgetting,
            async eraseStream(tombstone, hashes) {
              const isErased = await forgetting.eraseStream(tombstone, hashes);
              if (isErased) eraseViews(area, tombstone.id);
              return isErased;
            },
          },
          content: mirrorContent(fileContent(area, { guarded, areas }), store.content),
          contentIn: (other) => mirrorContent(fileContent(other, { historyArea: area, guarded, areas }), store.content),
          close() {
            views.close();
            store.close();
          },
        };
      },
    pins: (project) => postgresPins(database, project),
    team: postgresTeam(database),
    close: () => database.close(),
  };
}
