import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join, relative, resolve, sep } from "node:path";
import type { CommandCheck } from "../../gates/check.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { isObject, type Json, parsedJson } from "../../kit/json.ts";
import { usesPackageManager } from "../../kit/package-script.ts";
import { realPath, realPathOrSame } from "../../kit/real-path.ts";
import { sha256 } from "../../kit/sha256.ts";
import { listFiles } from "../files/list-files.ts";
import { type FileState, readState } from "./file-state.ts";

/** A file that configures a package manager. */
export type ConfigFile = { readonly hash: string; readonly stamp: string };

/**
 * Reads the files that configure a command's package manager: in the project and above, the user's, the global ones, and files that those
 * name. It hashes them whole, since each manager reads its own dialect, and names them alike in every checkout.
 */
export async function packageConfigOf(area: string, check: CommandCheck): Promise<ReadonlyMap<string, ConfigFile>> {
  if (!usesPackageManager(check.run)) return new Map();
  const root = await realPathOrSame(area);
  const cwd = await realPathOrSame(join(root, check.cwd));
  const places: Places = { root, cwd, home: process.env.HOME ?? homedir() };
  const found = new Map<string, ConfigFile>();
  const seen = new Set<string>();
  const add = async (path: string, depth: number): Promise<void> => {
    if (seen.has(path)) return;
    seen.add(path);
    const state = await readState(path);
    if ("absent" in state) return;
    const file = { hash: hashOf(state), stamp: state.stamp ?? "" };
    const name = nameOf(path, places);
    const isInside = isPathInside(root, path);
    // A work tree inside its repository has the same file in itself and above.
    if (!isInside && found.get(basename(path))?.hash === file.hash) return;
    found.set(name, found.has(name) ? joined(found.get(name), file) : file);
    if (depth === 0 || !("bytes" in state) || state.bytes.length > mostText) return;
    for (const named of pathsNamed(state.bytes.toString("latin1"), dirname(path), places)) {
      const target = await readState(named);
      if ("bytes" in target) await add(named, depth - 1);
      else await add(join(named, "etc/npmrc"), depth - 1);
    }
  };
  const folders = [cwd, ...(await foldersNamed(check.run, places))].flatMap(foldersFrom);
  for (const path of await candidates(folders, check, places)) await add(path, 2);
  for (const path of await configsBelow(root)) await add(path, 2);
  for (const name of check.env)
    for (const path of pathsNamed(process.env[name] ?? "", cwd, places)) if (await isFile(path)) await add(path, 2);
  for (const [name, hash] of await manifestsOf(new Set(folders), places)) found.set(name, { hash, stamp: "" });
  return new Map([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

type Places = { readonly root: string; readonly cwd: string; readonly home: string };

/** Files in the folders of a project, that of the command, and above. */
const inFolders = [
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".env.yarn", ".corepack.env", ".pnpmfile.cjs", ".pnpmfile.mjs"],
  ...["pnpm-workspace.yaml", "pnpm-workspace.yml", "bunfig.toml", ".bunfig.toml", "package.yaml", "package.json5"],
  ...["turbo.json", "nx.json", "lerna.json"],
  ...[".cargo/config.toml", ".cargo/config", "rust-toolchain.toml", "rust-toolchain", "go.work", "uv.toml"],
  ...[".mvn/maven.config", ".mvn/jvm.config", ".mvn/extensions.xml", ".mvn/wrapper/maven-wrapper.properties"],
  ...["gradle.properties", "gradle/wrapper/gradle-wrapper.properties", ".bundle/config", "poetry.toml"],
  ...[
    ".mvn/settings.xml",
    ".mvn/maven-user.properties",
    ".tool-versions",
    "mise.toml",
    ".mise.toml",
    "mise.local.toml",
  ],
];

/** Files in the home folder. */
const inHome = [
  ...[".npmrc", ".yarnrc", ".yarnrc.yml", ".bunfig.toml", ".config/.bunfig.toml", ".yarn/config"],
  ...[".config/yarn/config", ".config/pnpm/rc", ".config/pnpm/config.yaml", "Library/Preferences/pnpm/rc"],
  ...["Library/Preferences/pnpm/config.yaml", "AppData/Local/pnpm/config/rc", "AppData/Roaming/npm/etc/npmrc"],
  ...[".cargo/config.toml", ".cargo/config", ".config/go/env", "Library/Application Support/go/env", ".mavenrc"],
  ...[".m2/settings.xml", ".gradle/gradle.properties", ".gradle/init.gradle", ".config/uv/uv.toml"],
  ...[".config/pypoetry/config.toml", ".bundle/config", ".rustup/settings.toml", ".tool-versions"],
];

const global = [
  ...["/etc/npmrc", "/usr/etc/npmrc", "/usr/local/etc/npmrc", "/etc/yarnrc", "/etc/yarn/config"],
  ...["/usr/local/etc/yarnrc", "/usr/local/go/go.env", "/etc/mavenrc", "/etc/maven/settings.xml", "/etc/uv/uv.toml"],
];

/** Files of variables that Bun and Pipenv load by themselves. */
const variables = [".env", ".env.local", ".env.test", ".env.test.local", ".env.development", ".env.production"];

/** A larger file names nothing that is followed. */
const mostText = 256 << 10;

async function candidates(
  folders: readonly string[],
  { run, env }: CommandCheck,
  { cwd, home }: Places,
): Promise<readonly string[]> {
  const xdg = env.includes("XDG_CONFIG_HOME") ? process.env.XDG_CONFIG_HOME : undefined;
  const ownXdg =
    xdg === undefined ? [] : ["pnpm/rc", "pnpm/config.yaml", "yarn/config", ".bunfig.toml", "go/env", "uv/uv.toml"];
  const programs = [run[0], "node", "npm"].flatMap((name) =>
    (process.env.PATH ?? "").split(delimiter).map((folder) => resolve(cwd, folder, name)),
  );
  const installed = (await Promise.all(programs.map(realPath))).flatMap((path) =>
    path === undefined ? [] : [join(dirname(dirname(path)), "npmrc"), join(dirname(dirname(path)), "etc/npmrc")],
  );
  return [
    ...inHome.map((name) => join(home, name)),
    ...ownXdg.map((name) => join(xdg ?? "", name)),
    ...folders.flatMap((folder) => inFolders.map((name) => join(folder, name))),
    ...(/bun|pipenv/.test(run.join(" ")) ? variables.map((name) => join(cwd, name)) : []),
    ...global,
    ...installed,
  ];
}

/** The files of `inFolders` anywhere in the project: a script can run a package manager in another folder, or for each workspace. */
async function configsBelow(root: string): Promise<readonly string[]> {
  const holding = new Set((await listFiles(root, undefined)).map((path) => dirname(path)));
  const folders = new Set([...holding].flatMap(foldersFrom));
  const found = [...folders].map(async (folder) => {
    const entries = new Set(await readdir(join(root, folder)).catch(() => []));
    const here = inFolders.filter((name) => entries.has(name.split("/")[0] ?? ""));
    return here.map((name) => join(root, folder, name));
  });
  return (await Promise.all(found)).flat();
}

/** The folders that the words of a command name, as for `--prefix`. */
async function foldersNamed(run: readonly string[], { root, cwd }: Places): Promise<readonly string[]> {
  const words = run.slice(1).flatMap((word) => word.split(/[\s=]+/));
  const real = await Promise.all(words.filter((word) => word !== "").map((word) => realPath(resolve(cwd, word))));
  return real.filter((path) => path !== undefined && path !== cwd && isPathInside(root, path)) as string[];
}

function foldersFrom(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}

/** The existing paths that a configuration may mean, relative to it or to where the command runs. */
function pathsNamed(text: string, folder: string, { cwd, home }: Places): readonly string[] {
  const known = text.replace(/\$\{([^}:?-]+)[^}]*\}/g, (_, name: string) => process.env[name] ?? "");
  // A value can be a path with spaces, in quotes or not.
  const values = known.split(/[\r\n]+/).map((line) => /^[^=:\s]*\s*[=:]?\s*(.*)$/.exec(line.trim())?.[1] ?? "");
  const quoted = [...known.matchAll(/(["'])([^"'\r\n]+)\1/g)].map(([, , text = ""]) => text);
  const all = [
    ...known.split(/[\s"'=:,;[\]{}()]+/),
    ...values.map((text) => text.replace(/^["']|["']$/g, "")),
    ...quoted,
  ];
  const words = new Set(all.filter((word) => /[./\\]/.test(word)));
  return [...words].slice(0, 200).flatMap((word) => {
    if (word.startsWith("//")) return [];
    return word.startsWith("~/") ? [join(home, word.slice(2))] : [resolve(folder, word), resolve(cwd, word)];
  });
}

/** The settings that package.json files give a package manager, and the nearest of them if it is not the area's. */
async function manifestsOf(folders: ReadonlySet<string>, places: Places): Promise<readonly [string, string][]> {
  const found: [string, string][] = [];
  let isNearest = true;
  for (const folder of folders) {
    const state = await readState(join(folder, "package.json"));
    if ("absent" in state) continue;
    const parts = "bytes" in state ? tellingParts(state.bytes.toString("utf8")) : [hashOf(state)];
    const name = `package.json of ${isPathInside(places.root, folder) ? relative(places.root, folder) || "." : "above"}`;
    const isElsewhere = isNearest && folder !== places.root && isPathInside(places.root, folder);
    if (parts.length > 0 || isElsewhere) found.push([name, sha256(JSON.stringify(parts))]);
    isNearest = false;
  }
  return found;
}

function tellingParts(text: string): readonly Json[] {
  const manifest = parsedJson(text.replace(/^\uFEFF/, ""));
  if (!isObject(manifest)) return [];
  // npx takes a program of the project itself before an installed one.
  const own = typeof manifest.bin === "string" ? ["name"] : [];
  return ["packageManager", "devEngines", "pnpm", "bin", "directories", ...own].flatMap((key) =>
    manifest[key] === undefined ? [] : [[key, manifest[key]]],
  );
}

/** The name of a file: its path in the project or the home folder; elsewhere only its last part. */
function nameOf(path: string, { root, home }: Places): string {
  const below = (folder: string): string => relative(folder, path).split(sep).join("/");
  if (isPathInside(root, path)) return below(root);
  return isPathInside(home, path) && inHome.includes(below(home)) ? `~/${below(home)}` : `outside ${basename(path)}`;
}

function joined(before: ConfigFile | undefined, { hash, stamp }: ConfigFile): ConfigFile {
  return { hash: sha256(`${before?.hash} ${hash}`), stamp: `${before?.stamp} ${stamp}` };
}

function hashOf(state: Exclude<FileState, { absent: true }>): string {
  return "bytes" in state ? sha256(state.bytes) : state.unreadable;
}

async function isFile(path: string): Promise<boolean> {
  return "bytes" in (await readState(path));
}
