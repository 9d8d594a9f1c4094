import { join } from "node:path";
import type { Team } from "./http/ports.ts";
import { fileTeam } from "./stores/file/file-team.ts";

/** What the replicas of a server have in common; in files of the root's own folder, where no store is named. */
export async function openTeam({ root, store }: { readonly root: string; readonly store?: string }): Promise<Team> {
  if (store === undefined || store === "") return fileTeam(join(root, ".waymark"));
  const { openPostgres } = await import("./compose-postgres.ts");
  return openPostgres(store).team;
}
