import { existsSync, promises } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { AuditedArea } from "./audit/audit.ts";
import { checksForRunner, checksWhenNeeded } from "./compose-checks.ts";
import { botDefinitions } from "./definitions/bot-definitions.ts";
import { type Bots, liveBots, readBots, servedBots } from "./definitions/bots/live-bots.ts";
import { phasedDefinitions } from "./definitions/phased-definitions.ts";
import { readSearchSettings } from "./definitions/search-settings.ts";
import { openShelf, type Shelf } from "./definitions/shelf.ts";
import { readInside } from "./definitions/stand.ts";
import { versionReader } from "./definitions/version.ts";
import type { DeskParts, People } from "./engine/desk-parts.ts";
import { createEngine, type Engine } from "./engine/engine.ts";
import type { CheckRules, Clock, DeskId, ObserveEvidence, Pins, WorkTree } from "./engine/ports.ts";
import { openSessions, type Sessions } from "./engine/sessions.ts";
import { once } from "./evidence/once.ts";
import type { Problem } from "./evidence/problem.ts";
import { guardedFolders } from "./guarded.ts";
import { headCommit } from "./repository/repository.ts";
import { placesOfOne, type RunPlace, type RunPlaces, runPlaces } from "./repository/run-places.ts";
import { createSearch } from "./retrieval/gated-search.ts";
import { folderWatch } from "./retrieval/index/watch.ts";
import type { StandardsSearch } from "./retrieval/ports.ts";
import { steadyAreas } from "./steady-area.ts";
import { botsAtWork } from "./stores/bots-at-work.ts";
import { stateFolder } from "./stores/file/belief/machine.ts";
import type { Guarded } from "./stores/file/content-place.ts";
import { filePins } from "./stores/file/file-pins.ts";
import { fileStore } from "./stores/file/file-store.ts";
import { rememberArea } from "./stores/file/known-areas.ts";
import type { Store } from "./stores/store.ts";
import type { Notice } from "./workflow/notice.ts";
import type { Workplace } from "./workplace.ts";

export type Places = {
  readonly root: string;
  /** Where state, log and content go; the root, where it is not named. */
  readonly projectArea?: string;
  /** Where the definitions are; the root's `.waymark/`, where it is not named. */
  readonly definitions?: string;
  /** What keeps the histories of a project area; files in it, where nothing else is named. */
  readonly store?: StoreOf;
  /** What keeps copies of definitions; folders beside them, where nothing else is named. */
  readonly pins?: Pins;
  /** Whoever works here has their files elsewhere: no work tree is looked for, and no command is run. */
  readonly isRemote?: true;
  /** Hears how far the reading of a history has come, in bytes. */
  readonly onRead?: ((read: number, total: number) => void) | undefined;
};

/** Opens what keeps the histories of a project area. `name`: what the area is called wherever the project stands, "" for the project's own. */
export type StoreOf = (
  projectArea: string,
  about: {
    name(): Promise<string>;
    readonly clock: Clock;
    readonly guarded: readonly Guarded[];
    /** All project areas of the definitions as they stand now. */
    areas(): Promise<readonly string[]>;
  },
) => Store;

export type OpenedWorkplace = Workplace & {
  readonly definitions: string;
  /** Every project area that a bot or a session works in, with what is stored there. */
  logs(): Promise<readonly (Store & AuditedArea & { readonly name: string })[]>;
  /** Which version of the definitions is there now: what they say, as one name, and the git commit that is checked out there. */
  version(): Promise<{ readonly version: string; readonly commit?: string }>;
  /** The copies of definitions that sessions keep. */
  readonly pins: Pins;
  /** Writes what waits in memory, where that works now; says what still cannot be written. */
  settle(): Promise<readonly string[]>;
  /** Lets go of every file, and leaves nothing half-made behind. */
  close(): void;
};

/** Chooses and wires the parts of one workplace: the only place that knows all of them. Touches nothing until it is asked. */
export function openWorkplace(places: Places): OpenedWorkplace {
  const definitions = definitionsFolder(places);
  const projectArea = places.projectArea ?? places.root;
  const watch = folderWatch();
  const shelf = openShelf(watch, definitions);
  const live = liveBots(definitions, shelf);
  const readVersion = versionReader(definitions);
  const clock = (): Date => new Date();
  const guarded = guardedFolders(definitions);
  const stores = new Map<string, Store>();
  const isCommitted = async (): Promise<boolean> => (await live()).settings.settings.history === "committed";
  const areas = async (): Promise<readonly string[]> => {
    const named = (await live()).bots.map(({ tree }) => resolve(places.root, tree.projectArea ?? projectArea));
    const all = [...new Set([projectArea, ...named])];
    return [...new Set([...all, ...(await Promise.all(all.map(runs.inMain)))])];
  };
  const areaName = async (area: string): Promise<string> =>
    relative(await runs.inMain(projectArea), area).replaceAll("\\", "/");
  const storeOf = (area: string): Store => {
    const parts = { clock, guarded, areas, isCommitted, isFileInGit, onRead: places.onRead };
    const name = once(() => areaName(area));
    const store = stores.get(area) ?? places.store?.(area, { name, clock, guarded, areas }) ?? fileStore(area, parts);
    stores.set(area, store);
    return store;
  };
  const found = places.isRemote === true ? placesOfOne() : runPlaces();
  const keepSteady = steadyAreas(places.root);
  const runs: RunPlaces = {
    ...found,
    async of(area, run) {
      await keepSteady(area);
      return found.of(area, run);
    },
  };
  const parts = new Map<string, Omit<DeskParts, "id" | "definitions">>();
  /** What the work in one place needs from outside. */
  const partsAt = ({ area, history }: RunPlace): Omit<DeskParts, "id" | "definitions"> => {
    const key = JSON.stringify([area, history]);
    const { log, views, content, contentIn } = storeOf(history);
    const known = parts.get(key) ?? {
      log,
      views,
      content: area === history ? content : (contentIn?.(area) ?? content),
      checkRules: checkRulesWhenNeeded,
      observe: observeIn(
        places.isRemote === true && places.store !== undefined ? undefined : area,
        places.isRemote === true,
      ),
      ...(places.isRemote === true
        ? { checks: checksForRunner(area, definitions) }
        : { checks: checksWhenNeeded({ area, history }, definitions), workTree: workTreeWhenNeeded(area) }),
      people: peopleIn(definitions, [places.root, projectArea, area, history]),
      clock,
    };
    parts.set(key, known);
    return known;
  };
  const workingIn = async (areas: readonly string[]) =>
    new Map(
      await Promise.all(areas.map(async (area) => [area, await botsAtWork(storeOf(await runs.inMain(area)))] as const)),
    );
  const choose = servedBots({ root: places.root, projectArea, workingIn, bots: live, shelf });
  /** Chosen once a call; where nobody says when one begins, each time. */
  let served: ReturnType<typeof choose> | undefined;
  let isInCall = false;
  const serving = (): ReturnType<typeof choose> => {
    const now = served ?? choose();
    if (isInCall) served = now;
    return now;
  };
  const pins = onceAsked(async () => {
    if (places.pins !== undefined) return places.pins;
    const folders = [await runs.inMain(definitions), definitions].map((folder) => join(folder, "pinned"));
    // Whoever judges a branch by definitions of elsewhere finds the copies that came with it.
    const alongside = join(await runs.inMain(projectArea), ".waymark", "pinned");
    return filePins([...new Set(folders), join(stateFolder(), "pinned")], [alongside]);
  });
  const remembered = new Set<string>();
  /** Hooks look from the root for what is under way. */
  const remember = (area: string): string => {
    if (!remembered.has(area) && places.isRemote !== true) rememberArea(places.root, area);
    remembered.add(area);
    return area;
  };
  const sessions = openSessions({
    runHere: () => runs.here(projectArea),
    partsFor: async (run) => partsAt(await runs.of(remember(projectArea), run)),
    definitions: phasedDefinitions({ definitions, projectArea, shelf, pins }),
    projectArea,
  });
  const areaOf = async (bot: string): Promise<string> => {
    const found = (await serving()).served.find((one) => one.bot.name === bot);
    if (found === undefined) throw new Error(`There is no bot ${bot}.`);
    return found.projectArea;
  };
  const engines = new Map<string, Engine>();
  /** Where the files of each run went at its last call. */
  const lastAreas = new Map<string, string>();
  return {
    definitions,
    pins,
    version: async () => {
      const [version, commit] = await Promise.all([readVersion(), headCommit(definitions)]);
      return { version, ...(commit === undefined ? {} : { commit }) };
    },
    begin() {
      isInCall = true;
      served = undefined;
      shelf.begin();
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
          const isInGit = async (id: DeskId): Promise<boolean> => (await store.isInGit?.(id)) ?? false;
          return { ...store, area, pins: { pins, isInGit }, name: await areaName(area) };
        }),
      );
    },
    bots: async () => {
      const { bots, warnings, problems } = await serving();
      return { bots, warnings, problems };
    },
    runHere: async (bot) => runs.here(await areaOf(bot)),
    runs: async (bot) => {
      const { history } = await runs.of(await areaOf(bot), undefined);
      const desks = await storeOf(history).log.desks("bot");
      return desks.flatMap(({ name, run }) => (name === bot && run !== undefined ? [run] : []));
    },
    hasRun: async (bot, run) => {
      const { history } = await runs.of(await areaOf(bot), undefined);
      return storeOf(history).log.has({ kind: "bot", name: bot, run });
    },
    standsAt: async (caller) => {
      const { served } = await serving();
      const found = served.map(async ({ bot, projectArea: area }) => {
        return callerStands(storeOf((await runs.of(area, undefined)).history), bot.name, caller);
      });
      return (await Promise.all(found)).flat().sort((one, other) => (one.since < other.since ? -1 : 1));
    },
    engine: async (name, run) => {
      // Its work tree may come and go.
      const place = await runs.of(remember(await areaOf(name)), run);
      const before = lastAreas.get(JSON.stringify([name, run]));
      lastAreas.set(JSON.stringify([name, run]), place.area);
      const hasMoved = before !== undefined && before !== place.area;
      const key = JSON.stringify([name, run, place]);
      const known = engines.get(key);
      if (known !== undefined && !hasMoved) return known;
      const engine = createEngine(
        {
          ...partsAt(place),
          id: { kind: "bot", name, ...(run === undefined ? {} : { run }) },
          definitions: botDefinitions({ bot: name, run, definitions, projectArea: place.area, bots: live, shelf }),
        },
        aboutPlace(place, hasMoved),
      );
      engines.set(key, engine);
      return engine;
    },
    settle: async () => {
      const waiting = [sessions, ...engines.values()].map((one) => one.settle());
      return (await Promise.all(waiting)).flat();
    },
    close() {
      watch.close();
      for (const { checks } of parts.values()) checks?.close();
      for (const store of stores.values()) store.close();
    },
    sessions,
    standards: standardsIn(definitions, sessions, shelf),
  };
}

/** The runs of a bot in which a caller stands somewhere, and since when. */
async function callerStands(
  { log, standing }: Store,
  bot: string,
  caller: string,
): Promise<readonly { readonly bot: string; readonly run: string | undefined; readonly since: string }[]> {
  const all = (await standing?.(caller)) ?? (await log.desks("bot"));
  const found = all
    .filter(({ kind, name }) => kind === "bot" && name === bot)
    .map(async (id) => {
      const { runs, standings, asides } = (await log.look(id)).desk;
      const steps = (standings.get(caller) ?? []).map(({ workflow, step }) => runs.get(workflow)?.steps.get(step));
      const aside = [...asides.values()].filter(({ status, openedBy }) => status === "started" && openedBy === caller);
      const opened = [...steps, ...aside].flatMap((state) => (state === undefined ? [] : [state.startedAt]));
      return opened.length === 0 ? [] : [{ bot, run: id.run, since: opened.sort().at(-1) ?? "" }];
    });
  return (await Promise.all(found)).flat();
}

/** What whoever works at a run should know of where its files stand. */
function aboutPlace({ area, trees }: RunPlace, hasMoved: boolean): readonly Notice[] {
  return [
    ...(hasMoved ? [{ kind: "files_elsewhere", area } as const] : []),
    ...(trees.length > 1 ? [{ kind: "run_shared", trees } as const] : []),
  ];
}

/** Copies that are looked for where they stand once somebody asks. */
function onceAsked(open: () => Promise<Pins>): Pins {
  const pins = once(open);
  return {
    keep: async (text) => (await pins()).keep(text),
    find: async (pin) => (await pins()).find(pin),
    async look(pin) {
      const opened = await pins();
      if (opened.look !== undefined) return opened.look(pin);
      return { verdict: (await opened.find(pin)) === undefined ? "gone" : "whole", place: pin };
    },
  };
}

/** Every bot of a definitions folder, served or not; `closed` where the settings leave none of them usable. */
export function definedBots(definitions: string): Bots & { readonly closed?: Problem } {
  const read = readInside(definitions, () => readBots(definitions));
  const { problem } = read.settings;
  return { ...read, ...(problem === undefined ? {} : { closed: problem }) };
}

/** The rule checker is loaded at its first use: a server that is only asked for its tools does not pay for it. */
const checkRulesWhenNeeded: CheckRules = async (rules, files) => {
  const { checkRules } = await import("./checks/rules/check-rules.ts");
  return checkRules(rules, files);
};

/** The same for whose key made a statement. */
function peopleIn(definitions: string, areas: readonly string[]): People {
  return {
    async proves(signed) {
      const { proverOf } = await import("./compose-people.ts");
      return proverOf({ definitions, areas }, signed);
    },
  };
}

/** The same for what evidence claims about the outside: of somebody elsewhere only what they handed in is there. */
function observeIn(projectArea: string | undefined, isRemote: boolean): ObserveEvidence {
  return async (gate, evidence, handedIn) => {
    const { observeEvidence } = await import("./checks/evidence/observe-evidence.ts");
    return observeEvidence({ projectArea, handedIn, isRemote }, gate, evidence);
  };
}

/** The same for what was changed while a step was open. */
function workTreeWhenNeeded(area: string): WorkTree {
  const open = async (): Promise<WorkTree> => {
    const { workTree } = await import("./checks/git/work-tree.ts");
    return workTree(area, join(stateFolder(), "trees"));
  };
  return {
    mark: async (...asked) => (await open()).mark(...asked),
    changedOutside: async (...asked) => (await open()).changedOutside(...asked),
  };
}

/** The same for whether git has a history as it stands. */
async function isFileInGit(area: string, path: string): Promise<boolean> {
  const { isAsCommitted } = await import("./checks/git/as-committed.ts");
  return isAsCommitted(area, path);
}

/** The standards of a definitions folder; their index is kept beside them, so that nothing of them lies where they do not. */
function standardsIn(definitions: string, sessions: Sessions, shelf: Shelf): StandardsSearch {
  const folder = join(definitions, "standards");
  return createSearch({
    isThere: () =>
      promises.stat(folder).then(
        () => true,
        () => false,
      ),
    session: async (id) => (await sessions.find(id))?.glance(),
    workflows: sessions.workflows,
    standards: async () => {
      const { standards } = await import("./retrieval/standards.ts");
      const settings = await shelf.remember("search settings", () => readSearchSettings(definitions));
      const { budget, embeddings, warnings } = settings;
      const opened = standards({ folder, indexFolder: join(definitions, "index"), embeddings });
      return {
        ...opened,
        async search(query, options = {}) {
          const answer = await opened.search(query, { ...options, budget: options.budget ?? budget });
          return { ...answer, warnings: [...warnings, ...answer.warnings] };
        },
      };
    },
  });
}

function definitionsFolder({ root, definitions }: Places): string {
  if (definitions === undefined) return join(root, ".waymark");
  const nested = join(definitions, ".waymark");
  return existsSync(join(definitions, "bots")) || !existsSync(nested) ? definitions : nested;
}
