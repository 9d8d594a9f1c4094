import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { RunnerDispatch } from "../engine/ports/runners.ts";
import type { Team } from "../engine/ports/team.ts";
import type { ProjectEntry } from "../http/projects-file.ts";
import type { DefinitionsServed } from "../http/served-versions.ts";
import type { TrustedRunner } from "../people/runners-file.ts";
import { fileTeam } from "../stores/file/file-team.ts";
import { countedRunners } from "./list-runners.ts";
import { definitionsFolder, type OpenedWorkplace, openWorkplace } from "./open-workplace.ts";
import type { OpenedPostgres } from "./postgres.ts";
import { runnerDispatch } from "./runner-dispatch.ts";

/** The state shared by a server's replicas; in files under the root if no store is named. */
export async function openTeam({ root, store }: { readonly root: string; readonly store?: string }): Promise<Team> {
  if (store === undefined || store === "") return fileTeam(join(root, ".waymark"));
  const { openPostgres } = await import("./postgres.ts");
  return openPostgres(store).team;
}

/** A project on a server: its workplace, where it asks runners, and the runners that count. */
export type TeamProject = OpenedWorkplace & {
  readonly dispatch: RunnerDispatch;
  runners(): Promise<readonly TrustedRunner[]>;
};

/** A server's projects, and the state its replicas share. */
export type OpenedTeam = {
  readonly projects: ReadonlyMap<string, TeamProject>;
  readonly team: Team;
  /** The version of the definitions that serves each project. */
  versions(): Promise<readonly DefinitionsServed[]>;
  /** Problems in the definitions, for authors. */
  problems(): Promise<readonly string[]>;
  close(): Promise<void>;
};

/** The places of a server; `entries` are its projects, if it has others than the root. */
export type TeamPlaces = {
  readonly root: string;
  readonly definitions?: string;
  readonly projectArea?: string;
  /** The name of the only project in the store. */
  readonly project?: string;
  /** The database that keeps everything; files in the areas if undefined. */
  readonly postgres?: OpenedPostgres | undefined;
  readonly entries?: readonly ProjectEntry[] | undefined;
  /** The address for people, once the server listens. */
  readonly url?: () => string;
};

/** Opens a server's projects, each with its own definitions, standards, histories and content. Their assistants' files are elsewhere. */
export async function openTeamServer(places: TeamPlaces): Promise<OpenedTeam> {
  const { root, definitions, projectArea, postgres } = places;
  const only = {
    name: places.project ?? "default",
    ...(definitions && { definitions }),
    ...(projectArea && { area: projectArea }),
  };
  const projects = new Map<string, TeamProject>();
  const team = postgres?.team ?? (await openTeam({ root }));
  for (const entry of places.entries ?? [only]) {
    const { name, area = places.entries === undefined ? root : join(root, "projects", name) } = entry;
    if (places.entries !== undefined) mkdirSync(area, { recursive: true });
    const kept = postgres === undefined ? {} : { store: postgres.store(name), pins: postgres.pins(name) };
    const where = { root, projectArea: area, ...definitionsOf(entry.definitions) };
    const people = { definitions: definitionsFolder(where), areas: [area] };
    const dispatch = runnerDispatch({ project: name, team, url: places.url ?? (() => "URL"), ...people });
    const runners = async () => countedRunners(people);
    projects.set(name, {
      ...openWorkplace({ ...where, ...kept, remote: dispatch, notify: "notify" in entry ? entry.notify : undefined }),
      dispatch,
      runners,
    });
  }
  return {
    projects,
    team,
    versions: () =>
      Promise.all([...projects].map(async ([project, { version }]) => ({ project, ...(await version()) }))),
    async problems() {
      const said = [...projects].map(async ([name, workplace]) => {
        const { problems } = await workplace.bots();
        return problems.map(({ file, message }) => `${name}: ${file}: ${message}`);
      });
      return (await Promise.all(said)).flat();
    },
    async close() {
      for (const workplace of projects.values()) {
        await workplace.settle();
        workplace.close();
      }
      await team.close();
      await postgres?.close();
    },
  };
}

function definitionsOf(folder: string | undefined): { readonly definitions?: string } {
  if (folder === undefined) return {};
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`The definitions ${folder} are not a folder.`);
  return { definitions: folder };
}
