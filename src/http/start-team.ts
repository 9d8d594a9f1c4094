import type { Server } from "@modelcontextprotocol/server";
import type { OpenPage } from "../engine/answer-page.ts";
import type { Team } from "../engine/ports/team.ts";
import type { Workplace } from "../engine/workplace.ts";
import { defined } from "../kit/defined.ts";
import { patienceMs } from "../mcp/elicit-approval.ts";
import { createServer, type HostTraits } from "../mcp/server.ts";
import type { Bind } from "./bind.ts";
import { hasToken, type Identify, identifyByToken } from "./identity.ts";
import { listen } from "./listen.ts";
import { visitorFor } from "./principal.ts";
import type { Quota } from "./quota.ts";
import type { RunnerEndpoint } from "./runner-endpoint.ts";
import { logVersions, type ReadVersions } from "./served-versions.ts";
import type { ServerLog } from "./server-log.ts";
import { type ConnectionInfo, type ServerPart, sessionsKey, teamServer } from "./team-server.ts";

/** The options of a team server. */
export type TeamOptions = {
  readonly projects: ReadonlyMap<string, Workplace>;
  readonly team: Team;
  readonly bind: Bind;
  readonly publicUrl?: URL;
  readonly version: string;
  readonly log: ServerLog;
  readonly hostTraits?: (client: string | undefined) => HostTraits;
  readonly quota?: Quota;
  /** Reads the versions of the definitions being served. */
  readonly definitions?: ReadVersions;
  /** The milliseconds that a call may wait for a person. */
  readonly patienceMs?: number;
  /** Other parts to serve to the same callers. */
  readonly otherParts?: (identify: Identify) => ServerPart;
  /** Answers the runners of each project. */
  readonly runners?: ReadonlyMap<string, RunnerEndpoint>;
  /** Opens approval pages of a project at the server's origin. */
  readonly openPage?: (project: string, origin: string) => OpenPage | undefined;
  /** Replaces the server behind each connection, for the conformance suite. */
  readonly serve?: (about: ConnectionInfo) => Promise<Server>;
};

export type StartedTeam = {
  /** The address for assistants. */
  readonly url: string;
  /** Finishes open calls, at most this long. */
  close(graceMs?: number): Promise<void>;
};

/** The server may not start because no token exists. */
export class NoTokenError extends Error {}

/** Starts a team server; an address that others can reach needs a token. */
export async function startTeam(options: TeamOptions): Promise<StartedTeam> {
  const { projects, team, bind, log, publicUrl } = options;
  const listed = await team.tokens.list();
  if (!bind.isLocal && !listed.tokens.some(({ revokedAt }) => revokedAt === undefined))
    throw new NoTokenError(
      `Other machines can reach ${bind.host}, and there is no token. Create one with waymark token add NAME --role agent, or serve on 127.0.0.1.`,
    );
  if (listed.unreadable > 0)
    log.note(
      "Some lines of the token file cannot be read and are ignored. Run waymark token list to see the valid ones.",
    );
  await team.key(sessionsKey); // report an unusable key at the start
  const identify = identifyByToken({ tokens: team.tokens, isClosed: !bind.isLocal || hasToken(listed) });
  const serve = (project: string, about: ConnectionInfo): Promise<Server> => {
    const workplace = projects.get(project);
    if (workplace === undefined) throw new Error(`There is no project ${project}.`);
    if (options.serve !== undefined) return options.serve(about);
    const { era, connection, principal } = about;
    const openPage = options.openPage?.(project, originFor(options, listening.port));
    return createServer({
      workplace,
      era,
      connection,
      version: options.version,
      patienceMs: options.patienceMs ?? patienceMs,
      visitor: visitorFor(principal, era === "legacy"),
      ...defined({ hostTraits: options.hostTraits, openPage }),
    });
  };
  const server = teamServer({
    projects: [...projects.keys()],
    team,
    identify,
    serve,
    log,
    ...defined({ quota: options.quota, definitions: options.definitions, runners: options.runners }),
    ...(options.otherParts === undefined ? {} : { otherParts: options.otherParts(identify) }),
  });
  const listening = await listen({
    ...bind,
    ...defined({ publicUrl }),
    answer: server.answer,
    report: log.fault,
  });
  const stopTelling = options.definitions === undefined ? undefined : logVersions(options.definitions, log);
  return {
    url: `http://${hostOf(bind)}:${listening.port}/mcp`,
    async close(graceMs = 30_000) {
      stopTelling?.();
      await server.close(graceMs);
      await listening.close(2000);
    },
  };
}

/** Returns the origin for people; locally the one name that passkeys accept. */
function originFor({ publicUrl, bind }: TeamOptions, port: number): string {
  return publicUrl?.origin ?? `http://${bind.isLocal ? "localhost" : hostOf(bind)}:${port}`;
}

function hostOf({ host }: Bind): string {
  return host.includes(":") ? `[${host}]` : host;
}
