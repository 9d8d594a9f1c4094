import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { compileGlob } from "../checks/rules/glob.ts";
import { globsCover } from "../hosts/hooks/globs-cover.ts";
import {
  type HookContext,
  type HostSession,
  type LocatedPath,
  newSession,
  type OpenWork,
  type RequestedPath,
} from "../hosts/hooks/hook-context.ts";
import { unlessIoError } from "../kit/io-errors.ts";
import { isPathInside } from "../kit/is-path-inside.ts";
import { isObject, parsedJson } from "../kit/json.ts";
import { makeFolders } from "../kit/make-folders.ts";
import { realPathOfNew } from "../kit/real-path.ts";
import { sha256 } from "../kit/sha256.ts";
import { findRoot, foldersFrom, isFolder } from "../repository/project-root.ts";
import { findRunFolders } from "../repository/run-folders.ts";
import { knownAreas } from "../stores/file/known-areas.ts";
import { readOpenViews } from "../stores/file/read-open-views.ts";
import { stateFolder } from "../stores/file/trust/machine-state.ts";
import { streamKey } from "../stores/stream-key.ts";
import type { OpenView } from "../workflow/open-view.ts";

/** Everything a host's hook decides from, and its memory. Loads nothing of the engine. */
export type HookSetup = HookContext & { remember(session: HostSession): void };

/** Reads the work in progress where a host works; undefined if there is no project. */
export async function openHookContext(from: string, host: string, session = ""): Promise<HookSetup | undefined> {
  const found = findProjectRoot(from);
  if (found === undefined) return undefined;
  const root = linkedTreeBelow(from, found) ?? found;
  const areas = [...new Set([root, ...areasOfBots(found, root), ...knownAreas(root)])];
  const runs = findRunFolders(async () => isCommitted(root));
  runs.begin();
  const places = await Promise.all(areas.map(async (area) => ({ area, history: await runs.inMain(area) })));
  const work: OpenWork[] = [];
  for (const { area, history } of places)
    for (const view of await viewsIn(history)) {
      const place = await runs.of(area, view.desk.run ?? view.session?.run);
      const whereabouts = place.area === area ? { area } : { area: place.area, isElsewhere: true as const };
      work.push({ ...view, key: streamKey(view.desk), ...whereabouts });
    }
  const note = sessionNote(host, session, places[0]?.history ?? root);
  return {
    work: work.sort(latestFirst),
    session: note.read(),
    runHere: await runs.here(root),
    locate: (asked) =>
      locate(asked, {
        from,
        root,
        areas: [...places.flatMap(({ area, history }) => [area, history]), ...work.map(({ area }) => area)],
      }),
    remember: note.write,
  };
}

/** Tells if git keeps the histories; the hook needs no other setting. */
function isCommitted(root: string): boolean {
  const settings = parsedJson(unlessIoError(() => readFileSync(join(root, ".waymark", "config.json"), "utf8")) ?? "");
  return isObject(settings) && settings.history === "committed";
}

/** The nearest project: one with a `.waymark` folder, or one known to work in an area of its own. */
function findProjectRoot(from: string): string | undefined {
  const found = findRoot(from);
  const root = isFolder(join(found, ".waymark")) ? found : undefined;
  const nearer = foldersFrom(from).filter((folder) => root === undefined || folder.startsWith(root + sep));
  return nearer.find((folder) => knownAreas(folder).length > 0) ?? root;
}

/** A linked worktree below the project without its own definitions; it uses those above. */
function linkedTreeBelow(from: string, root: string): string | undefined {
  const below = foldersFrom(from).filter((folder) => folder !== root && isPathInside(root, folder));
  return below.find((folder) => statSync(join(folder, ".git"), { throwIfNoEntry: false })?.isFile() === true);
}

/** Blocked work first, then the latest. */
function latestFirst(one: OpenWork, other: OpenWork): number {
  const isBlocked = ({ steps }: OpenWork): number => Number(steps[0]?.blocked !== undefined);
  return isBlocked(other) - isBlocked(one) || (other.steps[0]?.since ?? "").localeCompare(one.steps[0]?.since ?? "");
}

/** The project areas of bots that have their own. */
function areasOfBots(root: string, tree: string): readonly string[] {
  const bots = join(root, ".waymark", "bots");
  const areas = namesIn(bots).flatMap((bot) => {
    for (const file of ["bot_config.json", "config/bot_config.json"]) {
      const config = readJson(join(bots, bot, file));
      if (typeof config.project_area === "string") return [resolve(tree, config.project_area)];
    }
    return [];
  });
  return [...new Set(areas)].filter((area) => area !== tree && isPathInside(tree, area));
}

/** The published open views; a history that is ahead of its view is read first. */
async function viewsIn(history: string): Promise<readonly OpenView[]> {
  const { views, behind } = readOpenViews(history);
  if (behind.length === 0) return views;
  const { refreshOpenViews: refreshOpen } = await import("../stores/file/refresh-open-views.ts");
  await refreshOpen(history, behind);
  return readOpenViews(history).views;
}

type LocateOptions = { readonly from: string; readonly root: string; readonly areas: readonly string[] };

async function locate<T extends RequestedPath>(
  asked: readonly T[],
  { from, root, areas }: LocateOptions,
): Promise<readonly LocatedPath<T>[]> {
  const real = new Map(
    await Promise.all([...new Set([...areas, root])].map(async (area) => [area, await realPathOfNew(area)] as const)),
  );
  const compiled = new Map<string, ReturnType<typeof compileGlob>>();
  const compile = (glob: string): ReturnType<typeof compileGlob> => {
    const known = compiled.get(glob) ?? compileGlob(glob);
    compiled.set(glob, known);
    return known;
  };
  const found = await Promise.all(
    asked.map(async (one) => (await expandPath(one, from)).map((file) => ({ asked: one, file }))),
  );
  return found.flat().map(({ asked: one, file }): LocatedPath<T> => {
    const inside = (area: string): string | undefined => {
      const folder = real.get(area) ?? area;
      return isPathInside(folder, file) ? relative(folder, file).split(sep).join("/") : undefined;
    };
    const relativePaths = [...real.keys()].flatMap((area) => inside(area) ?? []);
    return {
      asked: one,
      shown: inside(root) ?? file,
      isOurs: relativePaths.some((way) => /^(workflow_state|activity_log)\.json$|^\.waymark(\/|$)/i.test(way)),
      holdsOurs: [...real.values()].some((area) => isPathInside(file, area)),
      isCovered(area, globs) {
        const way = inside(area);
        return way === undefined || globsCover(globs, way, compile);
      },
    };
  });
}

/** The files that a path means: itself, or the named files inside that folder. */
async function expandPath({ path, cwd = "", names }: RequestedPath, from: string): Promise<readonly string[]> {
  const plain = path.replace(/^file:\/\//, "").replace(/^~(?=\/|$)/, homedir());
  const file = await realPathOfNew(resolve(from, cwd.replace(/^~(?=\/|$)/, homedir()), plain));
  if (names === undefined || !(isFolder(file) || /(^|\/)\.{0,2}$/.test(plain))) return [file];
  return Promise.all(names.map((name) => realPathOfNew(join(file, name))));
}

/** The memory of a host's session, outside every project, because only the host knows its sessions. */
function sessionNote(
  host: string,
  session: string,
  area: string,
): { read(): HostSession; write(now: HostSession): void } {
  const folder = join(stateFolder(), "hooks");
  const name = sha256(JSON.stringify([host, session, area]));
  const file = join(folder, `${name}.json`);
  return {
    read() {
      const { works, desks: streams, reminded, owed } = session === "" ? {} : readJson(file);
      if (works !== true) return newSession;
      return { works, desks: textsIn(streams), reminded: textsIn(reminded), owed: owed === true };
    },
    write(now) {
      if (session === "") return;
      try {
        makeFolders(folder, 0o700);
        const draft = `${file}.${process.pid}`;
        writeFileSync(draft, JSON.stringify(now), { mode: 0o600 });
        renameSync(draft, file);
        forgetOld(folder);
      } catch {
        // without a memory the session is left alone
      }
    },
  };
}

const maxSessionAgeMs = 30 * 24 * 3600 * 1000;

/** Forgets old sessions, a few at a time. */
function forgetOld(folder: string): void {
  const names = namesIn(folder);
  if (names.length < 200) return;
  for (const name of names.slice(0, 200)) {
    const file = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > maxSessionAgeMs) rmSync(file, { force: true });
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readJson(file: string): { readonly [key: string]: unknown } {
  try {
    const { size, isFile } = fileStat(file);
    if (!isFile || size > maxBytes) return {}; // never wait for a pipe
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The largest file that a hook reads. */
const maxBytes = 4 << 20;

function fileStat(file: string): { readonly size: number; readonly isFile: boolean } {
  const stats = statSync(file);
  return { size: stats.size, isFile: stats.isFile() };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
