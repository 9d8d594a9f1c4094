import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { boardProject } from "../compose-board.ts";
import { type OpenedTeam, openTeamServer, type TeamPlaces } from "../compose-team.ts";
import { hostTraits } from "../hosts/shown.ts";
import { type Bind, readBind } from "../http/bind.ts";
import { type BoardDoor, boardDoor } from "../http/board/door.ts";
import { inboxPages } from "../http/board/inbox-pages.ts";
import type { BoardProject } from "../http/board/ports.ts";
import { serverLog } from "../http/call-log.ts";
import type { Identify } from "../http/identity.ts";
import { type ProjectEntry, readProjects } from "../http/projects-file.ts";
import { NobodyKnown, type StartedTeam, startTeam } from "../http/start.ts";
import type { OpenPage } from "../mcp/ask-elsewhere.ts";
import { version } from "../version.ts";
import { UserFault } from "./fault.ts";
import type { PlaceOptions } from "./workplace.ts";

export type HttpOptions = PlaceOptions & {
  readonly http: string | true;
  readonly projects?: string;
  readonly publicUrl?: string;
};

/** Serves a team over HTTP until a signal comes; then what is under way is finished. Says on stdout where it listens, and nothing else. */
export async function serveHttp(options: HttpOptions): Promise<void> {
  const { started, opened } = await startHttp(options, (line) => process.stderr.write(line));
  process.stdout.write(`${JSON.stringify({ listening: started.url })}\n`);
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) process.exit(1); // whoever asks twice does not want to wait
    isStopping = true;
    void started
      .close()
      .then(opened.close)
      .finally(() => process.exit(0));
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
}

/** The same without a process around it. */
export async function startHttp(
  options: HttpOptions,
  write: (line: string) => void,
): Promise<{ readonly started: StartedTeam; readonly opened: OpenedTeam }> {
  const bind = bindOf(options.http);
  const publicUrl = publicUrlOf(options.publicUrl);
  const log = serverLog(write);
  const opened = await openTeamServer({ ...placesOf(options), entries: entriesOf(options) });
  try {
    const { projects, team, versions } = opened;
    const url = publicUrl === undefined ? {} : { publicUrl };
    const boards = boardsOf(opened, resolve(options.root));
    const besides = (identify: Identify): BoardDoor =>
      boardDoor({ projects: boards, version, identify, report: log.fault });
    const openPage = (project: string, origin: string): OpenPage | undefined => {
      const board = boards.get(project);
      return board && inboxPages(project, board, origin);
    };
    const started = await startTeam({
      ...{ projects, team, bind, version, log, hostTraits, besides, openPage },
      definitions: versions,
      ...url,
    });
    for (const said of await opened.problems()) log.note(said);
    return { started, opened };
  } catch (fault) {
    await opened.close();
    if (fault instanceof NobodyKnown) throw new UserFault(fault.message);
    if (fault instanceof Error && "code" in fault && fault.code === "EADDRINUSE")
      throw new UserFault(`${bind.host}:${bind.port} is taken by another program: name another with --http HOST:PORT.`);
    throw fault;
  }
}

/** What the dashboard of a team shows: the same people as the tools know, by the same tokens. */
function boardsOf({ projects }: OpenedTeam, root: string): ReadonlyMap<string, BoardProject> {
  return new Map([...projects].map(([name, workplace]) => [name, boardProject(workplace, root)] as const));
}

function placesOf({ root, definitions, projectArea, project, postgres }: HttpOptions): Omit<TeamPlaces, "entries"> {
  return {
    root: resolve(root),
    ...(definitions === undefined ? {} : { definitions: resolve(definitions) }),
    ...(projectArea === undefined ? {} : { projectArea: resolve(projectArea) }),
    ...(project === undefined ? {} : { project }),
    postgres,
  };
}

function bindOf(http: string | true): Bind {
  const bind = readBind(http === true ? "" : http);
  if (bind === undefined) throw new UserFault(`--http ${http} is no HOST:PORT.`);
  return bind;
}

function publicUrlOf(written: string | undefined): URL | undefined {
  if (written === undefined) return undefined;
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new UserFault(`--public-url ${written} is no URL.`);
  return url;
}

/** The projects that are named, with their folders as seen from the file that names them; or the only one. */
function entriesOf({ projects, definitions, projectArea }: HttpOptions): readonly ProjectEntry[] | undefined {
  if (projects === undefined) return undefined;
  if (definitions !== undefined || projectArea !== undefined)
    throw new UserFault("--projects says where definitions and areas are: leave --definitions and --project-area out.");
  let text: string;
  try {
    text = readFileSync(projects, "utf8");
  } catch {
    throw new UserFault(`--projects ${projects} cannot be read.`);
  }
  const read = readProjects(text);
  if ("wrong" in read) throw new UserFault(`--projects ${projects} cannot be used: ${read.wrong}.`);
  const from = dirname(resolve(projects));
  return read.map(({ name, definitions: folder, area }) => ({
    name,
    definitions: resolve(from, folder),
    ...(area === undefined ? {} : { area: resolve(from, area) }),
  }));
}
