import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { AuditedArea } from "../audit/audit-streams.ts";
import { botDefinitions } from "../definitions/bot-definitions.ts";
import { type Bots, botsIn, servedBots } from "../definitions/bots/live-bots.ts";
import { openDefinitions } from "../definitions/open-definitions.ts";
import { phasedDefinitions } from "../definitions/phased-definitions.ts";
import { readSnapshot } from "../definitions/snapshot/keep-snapshot.ts";
import { createEngine, type Engine, mostEngines } from "../engine/engine.ts";
import type { EngineDeps } from "../engine/engine-deps.ts";
import { identifiedLog } from "../engine/identified-log.ts";
import type { Clock } from "../engine/ports/clock.ts";
import type { NotifyTarget } from "../engine/ports/notice-queue.ts";
import type { PinStore } from "../engine/ports/pins.ts";
import type { RunnerDispatch } from "../engine/ports/runners.ts";
import { openSessions } from "../engine/sessions.ts";
import type { Workplace } from "../engine/workplace.ts";
import type { Problem } from "../gates/problem.ts";
import { defined } from "../kit/defined.ts";
import { once, oncePerTurn } from "../kit/once.ts";
import { recentMap } from "../kit/recent-map.ts";
import { systemClock as clock } from "../kit/system-clock.ts";
import { identityOf } from "../people/identity-file.ts";
import { headCommit } from "../repository/repository.ts";
import { findRunFolders, type RunFolderFinder, type RunFolders, singleAreaFolders } from "../repository/run-folders.ts";
import { activeBots } from "../stores/active-bots.ts";
import type { Guarded } from "../stores/file/content-target.ts";
import { filePins } from "../stores/file/file-pins.ts";
import { fileStore } from "../stores/file/file-store.ts";
import { rememberArea } from "../stores/file/known-areas.ts";
import { stateFolder } from "../stores/file/trust/machine-state.ts";
import type { Store } from "../stores/store.ts";
import type { Notice } from "../workflow/notice.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import { guardAreas } from "./guard-areas.ts";
import { guardedFolders } from "./guarded-folders.ts";
import { isFileInGit, lazyCheckRules, lazyObserve, lazyPeople, lazyPins, lazyWorkTree } from "./lazy-deps.ts";
import { openRunsOfCaller } from "./runs-of-caller.ts";
import { standardsIn } from "./search-standards.ts";
import { lazyChecks, runnerChecks } from "./wire-checks.ts";
import { trustedTargets, type WorkplaceNotices, workplaceNotices } from "./workplace-notices.ts";

export type WorkplaceOptions = {
  readonly root: string;
  /** The folder for state, log and content; the root by default. */
  readonly projectArea?: string;
  /** The definitions folder; the root's `.waymark/` by default. */
  readonly definitions?: string;
  /** The store of a project area's histories; files in it by default. */
  readonly store?: OpenStore;
  /** The store of pinned definitions; folders beside them by default. */
  readonly pins?: PinStore;
  /** Callers have their files elsewhere: no work tree is searched for, and runners are asked for commands. */
  readonly remote?: RunnerDispatch;
  /** The webhooks for notices; those of the settings that a person trusts by default. */
  readonly notify?: readonly NotifyTarget[] | undefined;
  /** Reports progress of reading a history, in bytes. */
  readonly onRead?: ((read: number, total: number) => void) | undefined;
};

/** Opens the store of a project area. `name`: the area's name within the project, "" for the project's own. */
export type OpenStore = (
  projectArea: string,
  about: {
    name(): Promise<string>;
    readonly clock: Clock;
    readonly guarded: readonly Guarded[];
    /** All project areas of the current definitions. */
    areas(): Promise<readonly string[]>;
  },
) => Store;

export type OpenedWorkplace = Workplace & {
  readonly definitions: string;
  /** Every project area that a bot or session works in, with its store. */
  logs(): Promise<readonly (Store & AuditedArea & { readonly name: string })[]>;
  /** The current version of the definitions: one hash of their content, and the git commit checked out there. */
  version(): Promise<{ readonly version: string; readonly commit?: string }>;
  readonly notices: Pick<WorkplaceNotices, "start" | "listed">;
  /** The pinned definitions of sessions. */
  readonly pins: PinStore;
  /** Writes what waits in memory; returns what still cannot be written. */
  settle(): Promise<readonly string[]>;
  /** Releases every file, and leaves nothing half-written. */
  close(): void;
};

/** Chooses and wires the parts of one workplace; only this function knows them all. Touches nothing until first use. */
export function openWorkplace(places: WorkplaceOptions): OpenedWorkplace {
  const definitions = definitionsFolder(places);
  const projectArea = places.projectArea ?? places.root;
  /** The calls so far; some things are looked up once in each. */
  const call = { number: 0 };
  const perCall = <T>(find: () => Promise<T>): (() => Promise<T>) => oncePerTurn(call, find);
  const opened = openDefinitions(definitions, perCall);
  const live = async (): Promise<Bots> => botsIn(await opened.bots());
  const identity = identityOf(definitions);
  const guarded = guardedFolders(definitions);
  const stores = new Map<string, Store>();
  const isCommitted = async (): Promise<boolean> => (await live()).settings.settings.history === "committed";
  const areas = perCall(async (): Promise<readonly string[]> => {
    const named = (await live()).bots.map(({ tree }) => resolve(places.root, tree.projectArea ?? projectArea));
    const all = [...new Set([projectArea, ...named])];
    return [...new Set([...all, ...(await Promise.all(all.map(runs.inMain)))])];
  });
  const areaName = async (area: string): Promise<string> =>
    relative(await runs.inMain(projectArea), area).replaceAll("\\", "/");
  const storeOf = (area: string): Store => {
    const isGuest = (bot: string): boolean => guests.includes(bot);
    const parts = { clock, guarded, areas, isCommitted, isFileInGit, isGuest, onRead: places.onRead };
    const name = once(() => areaName(area));
    const store = stores.get(area) ?? places.store?.(area, { name, clock, guarded, areas }) ?? fileStore(area, parts);
    stores.set(area, store);
    return store;
  };
  const found = places.remote !== undefined ? singleAreaFolders() : findRunFolders(isCommitted);
  const keepSteady = guardAreas(places.root);
  const runs: RunFolderFinder = {
    ...found,
    async of(area, run) {
      await keepSteady(area);
      return found.of(area, run);
    },
  };
  const notices = workplaceNotices(
    async () => {
      const configured = places.notify ?? (await live()).settings.settings.notify ?? [];
      const trusted = places.notify ?? (await trustedTargets(configured, await runs.inMain(projectArea)));
      return { configured, trusted };
    },
    async () => {
      storeOf(await runs.inMain(projectArea));
      return stores.values();
    },
  );
  const parts = new Map<string, Omit<EngineDeps, "id" | "definitions">>();
  /** The parts for work in one place. */
  const depsAt = ({ area, history }: RunFolders): Omit<EngineDeps, "id" | "definitions"> => {
    const key = JSON.stringify([area, history]);
    const store = storeOf(history);
    const { views, content, contentIn } = store;
    const log = identifiedLog(store.log, identity, notices.watch(store));
    const known = parts.get(key) ?? {
      log,
      views,
      content: area === history ? content : (contentIn?.(area) ?? content),
      checkRules: lazyCheckRules,
      observe: lazyObserve(
        places.remote !== undefined && places.store !== undefined ? undefined : area,
        places.remote !== undefined,
      ),
      ...(places.remote !== undefined
        ? { checks: runnerChecks(area, definitions, places.remote) }
        : { checks: lazyChecks({ area, history }, definitions), workTree: lazyWorkTree(area) }),
      identity,
      people: lazyPeople(definitions, [places.root, projectArea, area, history]),
      clock,
    };
    parts.set(key, known);
    return known;
  };
  const workingIn = async (areas: readonly string[]) =>
    new Map(
      await Promise.all(areas.map(async (area) => [area, await activeBots(storeOf(await runs.inMain(area)))] as const)),
    );
  const serve = servedBots({ root: places.root, projectArea, workingIn, current: opened.bots });
  /** The bots that share a project area with the one whose files are in it. */
  let guests: readonly string[] = [];
  const serving = perCall(async () => {
    const now = await serve();
    guests = now.served.flatMap(({ bot, isGuest }) => (isGuest === true ? [bot.name] : []));
    return now;
  });
  const pins = lazyPins(async () => {
    if (places.pins !== undefined) return places.pins;
    const folders = [await runs.inMain(definitions), definitions].map((folder) => join(folder, "pinned"));
    // definitions from elsewhere still find the copies that came with a branch
    const alongside = join(await runs.inMain(projectArea), ".waymark", "pinned");
    return filePins([...new Set(folders), join(stateFolder(), "pinned")], [alongside]);
  });
  const remembered = new Set<string>();
  /** Remembers an area for hooks, which look for open work from the root. */
  const remember = (area: string): string => {
    if (!remembered.has(area) && places.remote === undefined) rememberArea(places.root, area);
    remembered.add(area);
    return area;
  };
  const phased = phasedDefinitions({ projectArea, current: opened.workflows, pins });
  const sessions = openSessions({
    runHere: () => runs.here(projectArea),
    depsFor: async (run) => depsAt(await runs.of(remember(projectArea), run)),
    definitions: phased,
    projectArea,
    findBehavior: async (id) => {
      const [, named = "", run] = /^([^#/]+)(?:#(.+))?$/.exec(id) ?? [];
      const bot = (await serving()).bots.find(({ name }) => named.startsWith(`${name}.`));
      const workflow = bot === undefined ? undefined : named.slice(bot.name.length + 1);
      if (bot === undefined || !bot.behaviors.some(({ name }) => name === workflow)) return undefined;
      const meant = run ?? (await runs.here(await areaOf(bot.name)));
      const engine = await engineOf(bot.name, meant);
      return { engine, id: meant === undefined ? named : `${named}#${meant}`, isBot: true, ...defined({ workflow }) };
    },
  });
  const areaOf = async (bot: string): Promise<string> => {
    const found = (await serving()).served.find((one) => one.bot.name === bot);
    if (found === undefined) throw new Error(`There is no bot ${bot}.`);
    return found.projectArea;
  };
  const engines = recentMap<Engine>(mostEngines, (engine) => engine.isIdle());
  /** The area of each run's files at its last call, where it may change. */
  const lastAreas = new Map<string, string>();
  const engineOf = async (name: string, run?: string): Promise<Engine> => {
    // its worktree may come and go
    const place = await runs.of(remember(await areaOf(name)), run);
    const before = lastAreas.get(JSON.stringify([name, run]));
    if (places.remote === undefined) lastAreas.set(JSON.stringify([name, run]), place.area);
    const hasMoved = before !== undefined && before !== place.area;
    const key = JSON.stringify([name, run, place]);
    const known = engines.get(key);
    if (known !== undefined && !hasMoved) return known;
    const engine = createEngine(
      {
        ...depsAt(place),
        id: { kind: "bot", name, ...defined({ run }) },
        definitions: botDefinitions({ bot: name, run, projectArea: place.area, current: opened.bots, phased }),
        lookAtItem: sessions.lookAtItem,
      },
      placeNotices(place, hasMoved),
    );
    engines.set(key, engine);
    return engine;
  };
  return {
    definitions,
    notices,
    pins,
    version: async () => {
      const [version, commit] = await Promise.all([opened.version(), headCommit(definitions)]);
      return { version, ...defined({ commit }) };
    },
    beginCall() {
      call.number += 1;
      runs.begin();
    },
    logs: async () => {
      const { served } = await serving();
      const areas = [projectArea, ...served.map((one) => one.projectArea)];
      for (const area of areas) await keepSteady(area);
      const all = [...new Set(await Promise.all(areas.map(runs.inMain)))];
      return Promise.all(
        all.map(async (area) => {
          const store = storeOf(area);
          const isInGit = async (id: StreamId): Promise<boolean> => (await store.isInGit?.(id)) ?? false;
          const log = notices.audited(store);
          return { ...store, log, area, identity, pins: { pins, isInGit }, name: await areaName(area) };
        }),
      );
    },
    bots: async () => {
      const { bots, problems } = await serving();
      return { bots, problems, guests };
    },
    runHere: async (bot) => runs.here(await areaOf(bot)),
    runs: async (bot, most) => {
      const { history } = await runs.of(await areaOf(bot), undefined);
      const { log } = storeOf(history);
      const newest = most === undefined ? undefined : await log.latest?.("bot", most + 1); // one may be the default run
      const named = (newest ?? (await log.streams("bot"))).flatMap(({ name, run }) =>
        name === bot && run !== undefined ? [run] : [],
      );
      return named.slice(0, most);
    },
    hasRun: async (bot, run) => {
      const { history } = await runs.of(await areaOf(bot), undefined);
      return storeOf(history).log.has({ kind: "bot", name: bot, run });
    },
    openStepsOf: async (caller) => {
      const { served } = await serving();
      const looking = served.map(async ({ bot, projectArea: area }) => {
        return openRunsOfCaller(storeOf((await runs.of(area, undefined)).history), bot.name, caller);
      });
      const found = await Promise.all(looking);
      const open = found.flatMap((one) => one.open).sort((one, other) => (one.since < other.since ? -1 : 1));
      return { open, read: found.flatMap((one) => one.read) };
    },
    engine: engineOf,
    settle: async () => {
      const waiting = [sessions, ...engines.values()].map((one) => one.settle());
      return (await Promise.all(waiting)).flat();
    },
    close() {
      opened.close();
      for (const { checks } of parts.values()) checks?.close();
      for (const store of stores.values()) store.close();
    },
    sessions,
    standards: standardsIn(opened, sessions),
  };
}

/** Notices about where a run's files are. */
function placeNotices({ area, trees }: RunFolders, hasMoved: boolean): readonly Notice[] {
  return [
    ...(hasMoved ? [{ kind: "files_elsewhere", area } as const] : []),
    ...(trees.length > 1 ? [{ kind: "run_shared", trees } as const] : []),
  ];
}

/** Every bot of a definitions folder, served or not; `closed` if the settings make all unusable. */
export async function definedBots(definitions: string): Promise<Bots & { readonly closed?: Problem }> {
  const read = botsIn(await readSnapshot(definitions));
  const { problem } = read.settings;
  return { ...read, ...defined({ closed: problem }) };
}

/** The definitions folder that the places name. */
export function definitionsFolder({ root, definitions }: WorkplaceOptions): string {
  if (definitions === undefined) return join(root, ".waymark");
  const nested = join(definitions, ".waymark");
  return existsSync(join(definitions, "bots")) || !existsSync(nested) ? definitions : nested;
}
