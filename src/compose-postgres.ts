import type { StoreOf } from "./compose.ts";
import type { Pins } from "./engine/ports.ts";
import type { Team } from "./http/ports.ts";
import { keptElsewhere } from "./stores/content/kept-elsewhere.ts";
import { openMachine } from "./stores/file/belief/machine.ts";
import { openMemory } from "./stores/file/belief/memory.ts";
import { fileContent } from "./stores/file/file-content.ts";
import { fileViews } from "./stores/file/file-views.ts";
import { type DatabaseOptions, openDatabase } from "./stores/postgres/database.ts";
import type { StorePlace } from "./stores/postgres/place.ts";
import { postgresPins } from "./stores/postgres/postgres-pins.ts";
import { postgresStore } from "./stores/postgres/postgres-store.ts";
import { postgresTeam } from "./stores/postgres/postgres-team.ts";
import { openWitness } from "./stores/postgres/witness.ts";

/** A database, and what is kept there for each project. */
export type OpenedPostgres = {
  /** For a server without a work tree: content is kept there, and what shows a run is made on request. */
  store(project: string): StoreOf;
  /** For a process in a work tree, whose files stay there. */
  storeWithFiles(project: string): StoreOf;
  pins(project: string): Pins;
  readonly team: Team;
  close(): Promise<void>;
};

/** Opens the database that an address names; nothing is connected before something is asked. Throws a sentence for an address that is none. */
export function openPostgres(url: string, options: DatabaseOptions = {}): OpenedPostgres {
  const database = openDatabase(url, options);
  /** A database is known by its address: one that is reached by another begins with nothing, like a project that was moved. */
  const witnessOf =
    (project: string, folder?: string): NonNullable<StorePlace["witness"]> =>
    (area) => {
      const machine = openMachine();
      if (folder !== undefined && !machine.isOutside(folder)) return undefined;
      return openWitness(openMemory(machine, ["postgres", database.place, database.schema, project, area].join("\n")));
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
        return {
          ...store,
          views,
          content: keptElsewhere(fileContent(area, { guarded, areas }), store.content),
          contentIn: (other) => keptElsewhere(fileContent(other, { historyArea: area, guarded, areas }), store.content),
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
