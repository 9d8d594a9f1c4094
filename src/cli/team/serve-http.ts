import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { boardProject } from "../../app/open-dashboard.ts";
import { type OpenedTeam, openTeamServer, type TeamPlaces, type TeamProject } from "../../app/open-team-server.ts";
import type { NoticeWords } from "../../app/workplace-notices.ts";
import { type DashboardServer, dashboardServer } from "../../dashboard/api/dashboard-server.ts";
import { inboxPages } from "../../dashboard/api/inbox-pages.ts";
import type { BoardProject } from "../../dashboard/api/ports.ts";
import { runKey } from "../../dashboard/overview/run-key.ts";
import type { OpenPage } from "../../engine/answer-page.ts";
import { hostTraits } from "../../hosts/host-display.ts";
import { type Bind, parseBind } from "../../http/bind.ts";
import type { Identify } from "../../http/identity.ts";
import { type RoleRule, readRoles } from "../../http/oauth/roles-file.ts";
import { type ProjectEntry, readProjects } from "../../http/projects-file.ts";
import type { Quota } from "../../http/quota.ts";
import { type RunnerEndpoint, runnerEndpoint } from "../../http/runner-endpoint.ts";
import { type ServerLog, serverLog } from "../../http/server-log.ts";
import { NoTokenError, type StartedTeam, startTeam, type TeamOptions } from "../../http/start-team.ts";
import { defined } from "../../kit/defined.ts";
import { isSignedText, publicKeyFingerprint } from "../../people/runner-key.ts";
import { version } from "../../version.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { UserError } from "../terminal/user-error.ts";
import type { PlaceOptions } from "../terminal/workplace-options.ts";

export type HttpOptions = PlaceOptions & {
  readonly http: string | true;
  readonly projects?: string;
  readonly publicUrl?: string;
  readonly quota?: Quota;
  /** The seconds for which a runner's claim holds without being renewed. */
  readonly leaseSeconds?: number;
  /** The pace of looking for notices and sending them again. */
  readonly noticePace?: Pick<NoticeWords, "everyMs" | "firstRetry">;
  readonly oauthIssuer?: string;
  readonly oauthAudience?: string;
  readonly oauthRoles?: string;
  readonly oauthClient?: string;
};

/** Serves a team over HTTP until a signal comes, then finishes open calls; prints only its address on stdout. */
export async function serveHttp(options: HttpOptions): Promise<void> {
  setFlagsFromString(collectSooner);
  const { started, opened } = await startHttp(options, (line) => process.stderr.write(line));
  process.stdout.write(`${JSON.stringify({ listening: started.url })}\n`);
  let isStopping = false;
  const stop = (drainMs: number): void => {
    if (isStopping) process.exit(1); // a second signal means now
    isStopping = true;
    void started
      .close(undefined, drainMs)
      .then(opened.close)
      .finally(() => process.exit(0));
  };
  process.on("SIGINT", () => stop(0));
  process.on("SIGTERM", () => stop(opened.team.statements === undefined ? 0 : drainMs));
}

/** Lets the heap grow to twice what is in use before it is collected; by default it may be five times, and the rows of many runs are in use for long. */
const collectSooner = "--heap-growing-percent=100";

/** The milliseconds for which a server that is asked to end serves on while `/readyz` is 503, so that a proxy turns elsewhere first. */
const drainMs = 3000; // without a database there are no other servers to turn to

/** Starts the server without handling signals. */
export async function startHttp(
  options: HttpOptions,
  write: (line: string) => void,
): Promise<{ readonly started: StartedTeam; readonly opened: OpenedTeam }> {
  const bind = parseBindOption(options.http);
  const publicUrl = parsePublicUrl(options.publicUrl);
  const log = serverLog(write);
  let address = publicUrl === undefined ? "URL" : new URL("/mcp", publicUrl).href;
  const places = { ...projectPlaces(options), entries: projectEntries(options), url: () => address };
  const opened = await openTeamServer(places);
  try {
    const { projects, team, versions } = opened;
    const url = defined({ publicUrl });
    const boards = dashboardProjects(opened, resolve(options.root));
    const besides = (identify: Identify): DashboardServer =>
      dashboardServer({ projects: boards, version, identify, report: log.fault });
    const openPage = (project: string, origin: string): OpenPage | undefined => {
      const board = boards.get(project);
      return board && inboxPages(project, board, origin);
    };
    const runners = new Map(
      [...projects].map(([name, project]) => [name, runnersOf(project, options.leaseSeconds)] as const),
    );
    const started = await startTeam({
      runners,
      ...defined({ oauth: oauthOptions(options), quota: options.quota }),
      ...{ projects, team, bind, version, log, hostTraits, otherParts: besides, openPage },
      definitions: versions,
      ...url,
    });
    if (publicUrl === undefined) address = started.url;
    for (const said of await opened.problems()) log.note(said);
    const stopNotices = startNotices(opened, log, new URL(publicUrl ?? started.url).origin, options.noticePace);
    const close: StartedTeam["close"] = async (...given) => {
      await started.close(...given);
      await stopNotices();
    };
    return { started: { ...started, close }, opened };
  } catch (fault) {
    await opened.close();
    if (fault instanceof NoTokenError) throw new UserError(fault.message);
    if (fault instanceof Error && "code" in fault && fault.code === "EADDRINUSE")
      throw new UserError(`${bind.host}:${bind.port} is in use. Choose another with --http HOST:PORT.`);
    if (
      fault instanceof Error &&
      "code" in fault &&
      fault.code === "ENOTFOUND" &&
      "hostname" in fault &&
      fault.hostname === bind.host
    )
      throw new UserError(`The host ${bind.host} does not exist. Choose another with --http HOST:PORT.`);
    throw fault;
  }
}

/** Sends the notices of every project, with links to the dashboard. */
function startNotices(
  { projects }: OpenedTeam,
  log: ServerLog,
  origin: string,
  pace: HttpOptions["noticePace"],
): () => Promise<void> {
  const stops = [...projects].map(([project, { notices }]) => {
    const page = projects.size > 1 ? `${origin}/?project=${encodeURIComponent(project)}` : `${origin}/`;
    const link = (stream: StreamId): string => `${page}#/runs/${encodeURIComponent(runKey(stream))}`;
    return notices.start({ project, link, report: log.note, ...pace });
  });
  return async () => void (await Promise.all(stops.map((stop) => stop())));
}

/** Answers the runners of a project. */
function runnersOf(project: TeamProject, leaseSeconds?: number): RunnerEndpoint {
  return runnerEndpoint({
    workplace: project,
    dispatch: project.dispatch,
    findRunner: async (key) => (await project.runners()).find((one) => one.key === key),
    keyOf: publicKeyFingerprint,
    isSigned: isSignedText,
    ...defined({ leaseSeconds }),
  });
}

/** Builds the dashboards of the projects, with the same people and tokens as the tools. */
function dashboardProjects({ projects }: OpenedTeam, root: string): ReadonlyMap<string, BoardProject> {
  return new Map([...projects].map(([name, workplace]) => [name, boardProject(workplace, root)] as const));
}

function projectPlaces({
  root,
  definitions,
  projectArea,
  project,
  postgres,
}: HttpOptions): Omit<TeamPlaces, "entries"> {
  return {
    root: resolve(root),
    ...(definitions === undefined ? {} : { definitions: resolve(definitions) }),
    ...(projectArea === undefined ? {} : { projectArea: resolve(projectArea) }),
    ...defined({ project }),
    postgres,
  };
}

function parseBindOption(http: string | true): Bind {
  const bind = parseBind(http === true ? "" : http);
  if (bind === undefined) throw new UserError(`--http ${http} is not HOST:PORT.`);
  return bind;
}

function parsePublicUrl(written: string | undefined): URL | undefined {
  if (written === undefined) return undefined;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UserError(`--public-url ${written} is not a valid URL.`);
  return url;
}

/** Reads the options of an issuer; undefined without one. */
function oauthOptions({
  oauthIssuer: issuer,
  oauthAudience: audience,
  oauthRoles: file,
  oauthClient: client,
}: HttpOptions): TeamOptions["oauth"] {
  if (issuer === undefined) {
    if ((audience ?? file ?? client) !== undefined) throw new UserError("The --oauth options need --oauth-issuer URL.");
    return undefined;
  }
  const url = URL.canParse(issuer) ? new URL(issuer) : undefined;
  const isLocal = url !== undefined && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  if (url === undefined || (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)))
    throw new UserError(`--oauth-issuer ${issuer} must be an https URL.`);
  const secret = process.env.WAYMARK_OAUTH_SECRET || undefined;
  return { issuer, ...defined({ audience, client, secret, roles: file === undefined ? undefined : rolesIn(file) }) };
}

function rolesIn(file: string): readonly RoleRule[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new UserError(`--oauth-roles ${file} cannot be read.`);
  }
  const read = readRoles(text);
  if ("wrong" in read) throw new UserError(`--oauth-roles ${file} is not valid: ${read.wrong}.`);
  return read;
}

/** Reads the projects file, resolving folders relative to it; undefined for a single project. */
function projectEntries({ projects, definitions, projectArea }: HttpOptions): readonly ProjectEntry[] | undefined {
  if (projects === undefined) return undefined;
  if (definitions !== undefined || projectArea !== undefined)
    throw new UserError("--projects already names definitions and areas. Remove --definitions and --project-area.");
  let text: string;
  try {
    text = readFileSync(projects, "utf8");
  } catch {
    throw new UserError(`--projects ${projects} cannot be read.`);
  }
  const read = readProjects(text);
  if ("wrong" in read) throw new UserError(`--projects ${projects} is not valid: ${read.wrong}.`);
  const from = dirname(resolve(projects));
  return read.map(({ name, definitions: folder, area, notify = [] }) => ({
    ...{ name, notify, definitions: resolve(from, folder) },
    ...(area === undefined ? {} : { area: resolve(from, area) }),
  }));
}
