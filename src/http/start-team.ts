import { setTimeout as wait } from "node:timers/promises";
import type { Server } from "@modelcontextprotocol/server";
import type { OpenPage } from "../engine/answer-page.ts";
import type { Team, Token } from "../engine/ports/team.ts";
import type { Workplace } from "../engine/workplace.ts";
import { defined } from "../kit/defined.ts";
import { patienceMs } from "../mcp/elicit-approval.ts";
import { createServer, type EndedCall, type HostTraits } from "../mcp/server.ts";
import { openTelemetry } from "../mcp/telemetry.ts";
import type { Bind } from "./bind.ts";
import { hasToken, type Identify, identifyByToken } from "./identity.ts";
import { listen } from "./listen.ts";
import type { OauthOptions, OauthResource } from "./oauth/oauth-resource.ts";
import type { SignIn } from "./oauth/sign-in.ts";
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
  /** Accepts an issuer's tokens, and signs people in to the dashboard by it if a client is named. */
  readonly oauth?: OauthOptions & { readonly client?: string; readonly secret?: string };
  /** Opens approval pages of a project at the server's origin. */
  readonly openPage?: (project: string, origin: string) => OpenPage | undefined;
  /** Replaces the server behind each connection, for the conformance suite. */
  readonly serve?: (about: ConnectionInfo) => Promise<Server>;
};

export type StartedTeam = {
  /** The address for assistants. */
  readonly url: string;
  /** Finishes open calls, at most this long. */
  close(graceMs?: number, drainMs?: number): Promise<void>;
};

/** The server may not start because no token exists. */
export class NoTokenError extends Error {}

/** Starts a team server; an address that others can reach needs a token. */
export async function startTeam(options: TeamOptions): Promise<StartedTeam> {
  const { projects, team, bind, log, publicUrl } = options;
  const listed = await team.tokens.list();
  if (options.oauth === undefined && !bind.isLocal && !listed.tokens.some(({ revokedAt }) => revokedAt === undefined))
    throw new NoTokenError(
      `Other machines can reach ${bind.host}, and there is no token. Create one with waymark token add NAME --role agent, or serve on 127.0.0.1.`,
    );
  if (listed.unreadable > 0)
    log.note(
      "Some lines of the token file cannot be read and are ignored. Run waymark token list to see the valid ones.",
    );
  await team.key(sessionsKey); // report an unusable key at the start
  const peopleAt = (): string => publicUrl?.origin ?? `http://${hostOf(bind)}:${listening.port}`;
  const oauth = options.oauth === undefined ? undefined : await openOauth(options.oauth, peopleAt);
  const identify = identifyByToken({
    tokens: team.tokens,
    isClosed: !bind.isLocal || hasToken(listed) || oauth !== undefined,
    used: usesOf(team),
    ...defined({ oauth }),
  });
  const signIn = await openSignIn(options, oauth, identify, peopleAt);
  const telemetry = await openTelemetry("tcp");
  const serve = (project: string, about: ConnectionInfo, ended: (call: EndedCall) => void): Promise<Server> => {
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
      ended,
      telemetry,
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
    otherParts: joinParts([
      ...(oauth === undefined ? [] : [{ answer: (request: Request) => oauth().answer(request), close() {} }]),
      ...(signIn === undefined ? [] : [{ answer: signIn.answer, close() {} }]),
      ...(options.otherParts === undefined ? [] : [options.otherParts(signIn?.identify ?? identify)]),
    ]),
  });
  const listening = await listen({
    ...bind,
    ...defined({ publicUrl }),
    answer: server.answer,
    report: log.fault,
    refused: (request) => log.call({ ...request, route: "refused", ms: 0 }),
  });
  const stopTelling = options.definitions === undefined ? undefined : logVersions(options.definitions, log);
  return {
    url: `http://${hostOf(bind)}:${listening.port}/mcp`,
    async close(graceMs = 30_000, drainMs = 0) {
      stopTelling?.();
      server.drain();
      if (drainMs > 0) {
        await wait(drainMs);
        listening.refuseNew(); // a proxy turns to the next server, which passes on a person's answer to a call that waits here
      }
      await server.close(graceMs);
      await listening.close(2000);
    },
  };
}

/** Opens the issuer's part once the address is known; its code is loaded only then. */
async function openOauth(options: OauthOptions, origin: () => string): Promise<() => OauthResource> {
  const { oauthResource } = await import("./oauth/oauth-resource.ts");
  let resource: OauthResource | undefined;
  return () => {
    resource ??= oauthResource(options, origin());
    return resource;
  };
}

/** Signs people in at the dashboard by the same issuer, if it knows the dashboard as a client. */
async function openSignIn(
  { oauth: options, team }: TeamOptions,
  oauth: (() => OauthResource) | undefined,
  identify: Identify,
  origin: () => string,
): Promise<SignIn | undefined> {
  if (oauth === undefined || options?.client === undefined) return undefined;
  const { signIn } = await import("./oauth/sign-in.ts");
  const { client } = options;
  let opened: SignIn | undefined;
  const open = (): SignIn => {
    const about = { resource: oauth(), client, origin: origin(), identify, ...defined({ secret: options.secret }) };
    opened ??= signIn({ ...about, key: () => team.key("dashboard") });
    return opened;
  };
  return { answer: (request) => open().answer(request), identify: (request) => open().identify(request) };
}

/** Answers by the first part that knows a path. */
function joinParts(parts: readonly ServerPart[]): ServerPart {
  return {
    async answer(...asked) {
      for (const part of parts) {
        const answered = await part.answer(...asked);
        if (answered !== undefined) return answered;
      }
      return undefined;
    },
    close() {
      for (const part of parts) part.close();
    },
  };
}

/** Notes the use of a token, at most once a minute. */
function usesOf({ sightings }: Team): (token: Token) => void {
  const noted = new Map<string, number>();
  return ({ hash, name }) => {
    const now = Date.now();
    if (now - (noted.get(hash) ?? 0) < 60_000) return;
    noted.set(hash, now);
    void sightings
      .note("token", { name: hash, at: new Date(now).toISOString(), about: { name } })
      .catch(() => undefined);
  };
}

/** Returns the origin for people; locally the one name that passkeys accept. */
function originFor({ publicUrl, bind }: TeamOptions, port: number): string {
  return publicUrl?.origin ?? `http://${bind.isLocal ? "localhost" : hostOf(bind)}:${port}`;
}

function hostOf({ host }: Bind): string {
  return host.includes(":") ? `[${host}]` : host;
}
