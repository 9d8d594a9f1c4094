import type { Server } from "@modelcontextprotocol/server";
import type { OpenPage } from "../mcp/ask-elsewhere.ts";
import { createServer, type HostTraits } from "../mcp/server.ts";
import type { Workplace } from "../workplace.ts";
import type { Bind } from "./bind.ts";
import type { ServerLog } from "./call-log.ts";
import { type LookAtDefinitions, tellVersions } from "./definitions-served.ts";
import { hasToken, type Identify, identifyBy } from "./identity.ts";
import { listen } from "./listen.ts";
import type { Team } from "./ports.ts";
import { visitorOf } from "./principal.ts";
import type { Quota } from "./quota.ts";
import { type Besides, type Connecting, sessionsKey, teamServer } from "./team-server.ts";

/** What a server for a team is started with. */
export type TeamOptions = {
  readonly projects: ReadonlyMap<string, Workplace>;
  readonly team: Team;
  readonly bind: Bind;
  readonly publicUrl?: URL;
  readonly version: string;
  readonly log: ServerLog;
  readonly hostTraits?: (client: string | undefined) => HostTraits;
  readonly quota?: Quota;
  /** Says which versions of the definitions serve. */
  readonly definitions?: LookAtDefinitions;
  /** How long a call may wait for a person. */
  readonly patienceMs?: number;
  /** What else is served, to the same callers. */
  readonly besides?: (identify: Identify) => Besides;
  /** The pages of a project on which people answer themselves, where people reach this server at that origin. */
  readonly openPage?: (project: string, origin: string) => OpenPage | undefined;
  /** Another server than ours behind each connection: the conformance suite brings tools of its own. */
  readonly serve?: (about: Connecting) => Promise<Server>;
};

export type StartedTeam = {
  /** Where assistants reach it. */
  readonly url: string;
  /** Finishes what is under way, at most so long. */
  close(graceMs?: number): Promise<void>;
};

/** Hosts give up on a call after 60 s; a person is waited for a little less. */
const patienceMs = 45_000;

/** Why a server may not be started. */
export class NobodyKnown extends Error {}

/** Starts a server for a team. On addresses that others reach it takes a token to begin with, and lets nobody in without one. */
export async function startTeam(options: TeamOptions): Promise<StartedTeam> {
  const { projects, team, bind, log, publicUrl } = options;
  const listed = await team.tokens.list();
  if (!bind.isLocal && !listed.tokens.some(({ revokedAt }) => revokedAt === undefined))
    throw new NobodyKnown(
      `${bind.host} is reached by others, and nobody has a token: make one with waymark token add NAME --role agent, or serve on 127.0.0.1.`,
    );
  if (listed.unreadable > 0)
    log.note("Some lines of the tokens cannot be read, and let nobody in: waymark token list shows those that do.");
  await team.key(sessionsKey); // one that cannot be used is said to whoever starts the server
  const identify = identifyBy({ tokens: team.tokens, isClosed: !bind.isLocal || hasToken(listed) });
  const serve = (project: string, about: Connecting): Promise<Server> => {
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
      visitor: visitorOf(principal, era === "legacy"),
      ...(options.hostTraits === undefined ? {} : { hostTraits: options.hostTraits }),
      ...(openPage === undefined ? {} : { openPage }),
    });
  };
  const server = teamServer({
    projects: [...projects.keys()],
    team,
    identify,
    serve,
    log,
    ...(options.quota === undefined ? {} : { quota: options.quota }),
    ...(options.definitions === undefined ? {} : { definitions: options.definitions }),
    ...(options.besides === undefined ? {} : { besides: options.besides(identify) }),
  });
  const listening = await listen({
    ...bind,
    ...(publicUrl === undefined ? {} : { publicUrl }),
    answer: server.answer,
    report: log.fault,
  });
  const stopTelling = options.definitions === undefined ? undefined : tellVersions(options.definitions, log);
  return {
    url: `http://${hostOf(bind)}:${listening.port}/mcp`,
    async close(graceMs = 30_000) {
      stopTelling?.();
      await server.close(graceMs);
      await listening.close(2000);
    },
  };
}

/** Where people reach a server; on this machine alone by the one name that passkeys know. */
function originFor({ publicUrl, bind }: TeamOptions, port: number): string {
  return publicUrl?.origin ?? `http://${bind.isLocal ? "localhost" : hostOf(bind)}:${port}`;
}

function hostOf({ host }: Bind): string {
  return host.includes(":") ? `[${host}]` : host;
}
