import { appendFileSync, existsSync, lstatSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { unlessFault } from "./faults.ts";
import { ownFolder } from "./places.ts";
import { reach } from "./way.ts";

/** The engine's folders that are right for one working copy only. */
const folders = ["held", "kept", "tmp", "sessions", "runs", "index", "backups", "open"];
const histories = ["journal", "pinned"];
const views = ["workflow_state.json", "activity_log.json"];

/**
 * Tells git to pass over what the engine writes, also where `init` never ran: its folder by a file of its own, the two state
 * files by what git keeps for this working copy alone. Nobody's `.gitignore` is touched.
 */
export function ignoreOwn(area: string, isCommitted: boolean): void {
  const top = repositoryAbove(area);
  if (top === undefined) return;
  unlessFault(() => {
    const file = join(ownFolder(area), ".gitignore");
    if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return;
    const passed = [...folders, ...(isCommitted ? [] : histories)].map((name) => `/${name}/`);
    const within = isCommitted ? ["published", "checkpoint", "shown"].map((name) => `/journal/**/*.${name}`) : [];
    const lines = ["# Made by Waymark: what it keeps here for this working copy.", "/.gitignore", ...passed, ...within];
    reach(file, (at) => writeFileSync(at, `${lines.join("\n")}\n`, { flag: "wx" }));
  });
  unlessFault(() => excludeViews(area, top));
}

function excludeViews(area: string, top: string): void {
  const said = unlessFault(() => readFileSync(join(area, ".gitignore"), "utf8")) ?? "";
  const dotGit = join(top, ".git");
  if (views.every((name) => said.includes(name)) || !lstatSync(dotGit).isDirectory()) return;
  const file = join(dotGit, "info", "exclude");
  const way = relative(top, area).split(sep).join("/");
  const lines = views.map((name) => `/${way === "" ? "" : `${way}/`}${name}`);
  const known = unlessFault(() => readFileSync(file, "utf8")) ?? "";
  const missing = lines.filter((line) => !known.split(/\r?\n/).includes(line));
  if (missing.length === 0) return;
  const standing = lstatSync(file, { throwIfNoEntry: false });
  const isShared = standing !== undefined && (!standing.isFile() || standing.nlink > 1);
  if (isShared || !existsSync(dirname(file))) return; // what else it is, is somebody's
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

/** A folder with a HEAD, or the file that leads a linked work tree to it: an empty folder of that name is none. */
function isRepository(dotGit: string): boolean {
  const found = lstatSync(dotGit, { throwIfNoEntry: false });
  return found?.isFile() === true || (found !== undefined && existsSync(join(dotGit, "HEAD")));
}
