import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { compileGlob } from "./checks/rules/glob.ts";
import { isObject } from "./evidence/json.ts";
import { sha256 } from "./evidence/sha256.ts";
import { covers } from "./hooks/covers.ts";
import {
  type Asked,
  type HostSession,
  type Located,
  newSession,
  type OpenWork,
  type Surroundings,
} from "./hooks/surroundings.ts";
import { liesIn } from "./paths/lies-in.ts";
import { realPathToCome } from "./paths/real-path.ts";
import { findRoot, foldersFrom, isFolder } from "./repository/project-root.ts";
import { runPlaces } from "./repository/run-places.ts";
import { deskKey } from "./stores/desk-key.ts";
import { stateFolder } from "./stores/file/belief/machine.ts";
import { knownAreas } from "./stores/file/known-areas.ts";
import { lookOpen } from "./stores/file/look-open.ts";
import { makeFolders } from "./stores/file/make-folders.ts";
import type { OpenView } from "./words/open-view.ts";

/** What a hook of one of a host's sessions decides from, and where it remembers. Nothing of the engine is loaded for it. */
export type HookPlace = Surroundings & { remember(session: HostSession): void };

/** Looks at what is under way where a host works; undefined where there is no project. */
export async function openHookPlace(from: string, host: string, session = ""): Promise<HookPlace | undefined> {
  const found = rootOf(from);
  if (found === undefined) return undefined;
  const root = linkedTreeBelow(from, found) ?? found;
  const areas = [...new Set([root, ...areasOfBots(found, root), ...knownAreas(root)])];
  const runs = runPlaces();
  runs.begin();
  const places = await Promise.all(areas.map(async (area) => ({ area, history: await runs.inMain(area) })));
  const work: OpenWork[] = [];
  for (const { area, history } of places)
    for (const view of await viewsIn(history)) {
      const place = await runs.of(area, view.desk.run ?? view.session?.run);
      const whereabouts = place.area === area ? { area } : { area: place.area, isElsewhere: true as const };
      work.push({ ...view, key: deskKey(view.desk), ...whereabouts });
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

/** The nearest project: one with a folder of ours, or one whose work was seen to stand in an area of its own. */
function rootOf(from: string): string | undefined {
  const found = findRoot(from);
  const root = isFolder(join(found, ".waymark")) ? found : undefined;
  const nearer = foldersFrom(from).filter((folder) => root === undefined || folder.startsWith(root + sep));
  return nearer.find((folder) => knownAreas(folder).length > 0) ?? root;
}

/** A linked work tree below the project, without definitions of its own, is worked in by those above. */
function linkedTreeBelow(from: string, root: string): string | undefined {
  const below = foldersFrom(from).filter((folder) => folder !== root && liesIn(root, folder));
  return below.find((folder) => statSync(join(folder, ".git"), { throwIfNoEntry: false })?.isFile() === true);
}

function latestFirst(one: OpenWork, other: OpenWork): number {
  return (other.steps[0]?.since ?? "").localeCompare(one.steps[0]?.since ?? "");
}

/** The project areas that bots have of their own. */
function areasOfBots(root: string, tree: string): readonly string[] {
  const bots = join(root, ".waymark", "bots");
  const areas = namesIn(bots).flatMap((bot) => {
    for (const file of ["bot_config.json", "config/bot_config.json"]) {
      const config = readJson(join(bots, bot, file));
      if (typeof config.project_area === "string") return [resolve(tree, config.project_area)];
    }
    return [];
  });
  return [...new Set(areas)].filter((area) => area !== tree && liesIn(tree, area));
}

/** What is shown as under way; where a history went on without being shown, it is read. */
async function viewsIn(history: string): Promise<readonly OpenView[]> {
  const { views, behind } = lookOpen(history);
  if (behind.length === 0) return views;
  const { refreshOpen } = await import("./stores/file/refresh-open.ts");
  await refreshOpen(history, behind);
  return lookOpen(history).views;
}

type Around = { readonly from: string; readonly root: string; readonly areas: readonly string[] };

async function locate<T extends Asked>(
  asked: readonly T[],
  { from, root, areas }: Around,
): Promise<readonly Located<T>[]> {
  const real = new Map(
    await Promise.all([...new Set([...areas, root])].map(async (area) => [area, await realPathToCome(area)] as const)),
  );
  const compiled = new Map<string, ReturnType<typeof compileGlob>>();
  const compile = (glob: string): ReturnType<typeof compileGlob> => {
    const known = compiled.get(glob) ?? compileGlob(glob);
    compiled.set(glob, known);
    return known;
  };
  const found = await Promise.all(
    asked.map(async (one) => (await filesMeant(one, from)).map((file) => ({ asked: one, file }))),
  );
  return found.flat().map(({ asked: one, file }): Located<T> => {
    const inside = (area: string): string | undefined => {
      const folder = real.get(area) ?? area;
      return liesIn(folder, file) ? relative(folder, file).split(sep).join("/") : undefined;
    };
    const ways = [...real.keys()].flatMap((area) => inside(area) ?? []);
    return {
      asked: one,
      shown: inside(root) ?? file,
      isOurs: ways.some((way) => /^(workflow_state|activity_log)\.json$|^\.waymark(\/|$)/i.test(way)),
      holdsOurs: [...real.values()].some((area) => liesIn(file, area)),
      isCovered(area, globs) {
        const way = inside(area);
        return way === undefined || covers(globs, way, { compile, chosen: one.chosen });
      },
    };
  });
}

/** The files that a path means: itself, or what comes to stand in the folder that it is. */
async function filesMeant({ path, cwd = "", names }: Asked, from: string): Promise<readonly string[]> {
  const plain = path.replace(/^file:\/\//, "").replace(/^~(?=\/|$)/, homedir());
  const file = await realPathToCome(resolve(from, cwd.replace(/^~(?=\/|$)/, homedir()), plain));
  if (names === undefined || !(isFolder(file) || /(^|\/)\.{0,2}$/.test(plain))) return [file];
  return Promise.all(names.map((name) => realPathToCome(join(file, name))));
}

/** What is remembered of a host's session, outside every project: hosts name their sessions, and nobody else needs to know. */
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
      const { works, desks, reminded, owed } = session === "" ? {} : readJson(file);
      if (works !== true) return newSession;
      return { works, desks: textsIn(desks), reminded: textsIn(reminded), owed: owed === true };
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
        // What cannot be remembered is not held against anybody: the session is left alone.
      }
    },
  };
}

const longest = 30 * 24 * 3600 * 1000;

/** Sessions that nobody has come back to are forgotten; a few at a time. */
function forgetOld(folder: string): void {
  const names = namesIn(folder);
  if (names.length < 200) return;
  for (const name of names.slice(0, 200)) {
    const file = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(file, { throwIfNoEntry: false }) ?? {};
    if (Date.now() - mtimeMs > longest) rmSync(file, { force: true });
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
    const { size, isFile } = lookedAt(file);
    if (!isFile || size > mostBytes) return {}; // nobody waits for a pipe that stands there
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** What a hook reads is small. */
const mostBytes = 4 << 20;

function lookedAt(file: string): { readonly size: number; readonly isFile: boolean } {
  const stats = statSync(file);
  return { size: stats.size, isFile: stats.isFile() };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
