import { appendFileSync, existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { unlessIoError } from "../../kit/io-errors.ts";
import { atPath } from "./safe-folder.ts";
import { engineFolder } from "./stream-paths.ts";

/** The engine's folders that belong to one working copy only. */
const folders = [
  "held",
  "kept",
  "tmp",
  "sessions",
  "runs",
  "state",
  "index",
  "backups",
  "open",
  "notices",
  "forgotten",
];
const histories = ["journal", "pinned"];
const views = ["workflow_state.json", "activity_log.json"];

const caches = ["published", "checkpoint", "shown"];

/** Tells if a file below an engine folder belongs to one machine and has no business in git. */
export function isMachineFile(path: string): boolean {
  const [folder = "", ...rest] = path.split("/");
  const isCache = folder === "journal" && caches.some((name) => path.endsWith(`.${name}`));
  return rest.length > 0 && (folders.includes(folder) || isCache);
}

/** Tells if a path below an engine folder is the engine's, and no definition. */
export function isEngineFile(path: string): boolean {
  const [folder = ""] = path.split("/");
  return [...folders, ...histories, "heads", ".gitignore"].includes(folder);
}

/**
 * Makes git ignore what the engine writes, even without `init`: its folder by its own file, the state files by this working copy's
 * exclude file. Never touches a `.gitignore` of the project.
 */
export function ignoreEngineFiles(area: string, isCommitted: boolean): void {
  const top = repositoryAbove(area);
  if (top === undefined) return;
  unlessIoError(() => {
    const file = join(engineFolder(area), ".gitignore");
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return;
    const passed = [...folders, ...(isCommitted ? [] : histories)].map((name) => `/${name}/`);
    const within = isCommitted ? caches.map((name) => `/journal/**/*.${name}`) : [];
    const lines = ["# Made by Waymark: what it keeps here for this working copy.", "/.gitignore", ...passed, ...within];
    atPath(file, (at) => writeFileSync(at, `${lines.join("\n")}\n`, { flag: "wx" }));
  });
  unlessIoError(() => excludeViews(area, top));
}

function excludeViews(area: string, top: string): void {
  const said = unlessIoError(() => readFileSync(join(area, ".gitignore"), "utf8")) ?? "";
  const dotGit = join(top, ".git");
  if (views.every((name) => said.includes(name)) || !lstatSync(dotGit).isDirectory()) return;
  const file = join(dotGit, "info", "exclude");
  const way = relative(top, area).split(sep).join("/");
  const lines = views.map((name) => `/${way === "" ? "" : `${way}/`}${name}`);
  const known = unlessIoError(() => readFileSync(file, "utf8")) ?? "";
  const missing = lines.filter((line) => !known.split(/\r?\n/).includes(line));
  if (missing.length === 0) return;
  const status = lstatSync(file, { throwIfNoEntry: false });
  const isShared = status !== undefined && (!status.isFile() || status.nlink > 1);
  if (isShared || !existsSync(dirname(file))) return; // anything else is not ours
  appendFileSync(
    file,
    `${known === "" || known.endsWith("\n") ? "" : "\n"}# Waymark's state files\n${missing.join("\n")}\n`,
  );
}

function repositoryAbove(area: string): string | undefined {
  for (let folder = area; ; folder = dirname(folder)) {
    if (isRepository(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** A folder with a HEAD, or the file of a linked work tree; an empty folder does not count. */
function isRepository(dotGit: string): boolean {
  const found = lstatSync(dotGit, { throwIfNoEntry: false });
  return found?.isFile() === true || (found !== undefined && existsSync(join(dotGit, "HEAD")));
}
