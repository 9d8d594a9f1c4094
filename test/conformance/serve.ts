import type { Server } from "@modelcontextprotocol/server";
import { openTeamServer } from "../../src/app/open-team-server.ts";
import { parseBind } from "../../src/http/bind.ts";
import { serverLog } from "../../src/http/server-log.ts";
import { startTeam } from "../../src/http/start-team.ts";
import { version } from "../../src/version.ts";
import { fixtureServer } from "./fixture-server.ts";

/** A server on a port of its own. */
export type Served = { readonly url: string; close(): Promise<void> };

/** A team's server as `waymark serve --http` starts it. */
export function serveWaymark(root: string): Promise<Served> {
  return start(root, {});
}

/** The same with the suite's own tools behind its doors instead of Waymark's. */
export function serveFixtures(root: string): Promise<Served> {
  return start(root, { serve: async () => fixtureServer() });
}

async function start(root: string, behind: { readonly serve?: () => Promise<Server> }): Promise<Served> {
  const bind = parseBind("127.0.0.1:0");
  if (bind === undefined) throw new Error("This address cannot be read.");
  const { projects, team, close } = await openTeamServer({ root });
  const started = await startTeam({ projects, team, bind, version, log: serverLog(() => {}), ...behind });
  return {
    url: started.url,
    async close() {
      await started.close(0);
      await close();
    },
  };
}
