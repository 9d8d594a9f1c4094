import { join } from "node:path";
import type { Team } from "./http/ports.ts";
import { fileTeam } from "./stores/file/file-team.ts";

/** What the replicas of a server have in common; in files of the root's own folder, where no store is named. */
export async function openTeam({ root }: { readonly root: string }): Promise<Team> {
  return fileTeam(join(root, ".waymark"));
}
