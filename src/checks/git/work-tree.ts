import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { DeskId, WorkTree } from "../../engine/ports.ts";
import { canonical, isObject } from "../../evidence/json.ts";
import { sha256 } from "../../evidence/sha256.ts";
import type { StepRef } from "../../workflow/events.ts";
import { hashOfPlain } from "../files/file-hash.ts";
import { compileGlob } from "../rules/glob.ts";
import { askGit } from "./quiet-git.ts";

/** How a work tree stood when a step was opened: its commit, and the hashes of the files that differed from it. */
type Note = { readonly ref: string; readonly commit: string; readonly files: { readonly [path: string]: string } };

/** More files than this are not looked at one by one. */
const mostFiles = 5000;

/** Compares the files of a project area with what they were when a step was opened, by what git says of them; notes stand in a folder outside it. */
export function workTree(area: string, notes: string): WorkTree {
  const fileOf = (id: DeskId, { workflow }: StepRef): string =>
    join(notes, `${sha256(canonical([area, id.kind, id.name, id.run ?? "", workflow]))}.json`);
  return {
    async mark(id, ref) {
      const commit = await commitOf(area);
      const changed = commit === undefined ? undefined : await changedSince(area, commit);
      if (commit === undefined || changed === undefined || changed.length > mostFiles) return;
      const note: Note = { ref: nameOf(ref), commit, files: Object.fromEntries(await hashesOf(area, changed)) };
      await keep(fileOf(id, ref), JSON.stringify(note)).catch(() => undefined); // then nobody can tell later
    },
    async changedOutside(id, ref, edits, { handed, saved }) {
      const commit = await commitOf(area);
      if (commit === undefined) return { unknown: "the project area is in no git work tree" };
      const note = await readNote(fileOf(id, ref));
      if (note?.ref !== nameOf(ref)) return { unknown: "how the files stood when it was opened was not noted here" };
      if (!(await isBefore(area, note.commit))) return { unknown: "another branch has been checked out since" };
      const changed = await changedSince(area, note.commit);
      if (changed === undefined || changed.length > mostFiles)
        return { unknown: `git does not say, or names more than ${mostFiles} files` };
      const isOutside = outsideOf(edits);
      // What differed from the commit when the step was opened may equal it by now: then it was thrown away.
      const candidates = [...new Set([...changed, ...Object.keys(note.files)])];
      const paths = [...candidates, ...handed.map(({ path }) => path)].filter(isOutside);
      const now = await hashesOf(area, paths);
      // What an earlier step handed in, Waymark itself has saved there.
      const isSaved = (path: string): boolean => saved.some((one) => one.path === path && one.sha256 === now.get(path));
      const files = candidates.filter(
        (path) => isOutside(path) && now.get(path) !== note.files[path] && !isSaved(path),
      );
      const toCome = handed.filter(({ path, sha256: hash }) => isOutside(path) && now.get(path) !== hash);
      return { files: [...new Set([...files, ...toCome.map(({ path }) => path)])].sort() };
    },
  };
}

/** Tells what none of the globs covers; one that nobody understands covers nothing. */
function outsideOf(edits: readonly string[]): (path: string) => boolean {
  const matchers = edits.map(compileGlob).filter((one) => typeof one === "function");
  return (path) => !matchers.some((matches) => matches(path));
}

/** The tree that git has for a repository without a commit. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** The commit that is checked out; undefined where there is no repository. */
async function commitOf(area: string): Promise<string | undefined> {
  const head = await askGit(area, "rev-parse", "--verify", "--quiet", "HEAD");
  if ("text" in head) return head.text.trim();
  const inside = await askGit(area, "rev-parse", "--is-inside-work-tree");
  return "text" in inside && inside.text.trim() === "true" ? emptyTree : undefined;
}

async function isBefore(area: string, commit: string): Promise<boolean> {
  return commit === emptyTree || "text" in (await askGit(area, "merge-base", "--is-ancestor", commit, "HEAD"));
}

/** The files of the area that differ from a commit, deleted and untracked ones among them, but for what the engine writes; definitions are not that. */
async function changedSince(area: string, commit: string): Promise<readonly string[] | undefined> {
  const [differing, untracked] = await Promise.all([
    askGit(area, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative", commit, "--", "."),
    askGit(area, "ls-files", "-z", "--others", "--exclude-standard", "--", "."),
  ]);
  if ("failed" in differing || "failed" in untracked) return undefined;
  const paths = new Set(`${differing.text}${untracked.text}`.split("\0").filter((path) => path !== ""));
  return [...paths].filter((path) => !isKept(path));
}

/** What the engine keeps in a project area, and `init` beside it. */
function isKept(path: string): boolean {
  return /^(workflow_state|activity_log)\.json$|^\.waymark\/((journal|held|kept|tmp|sessions|runs|pinned|index|backups|open|heads)\/|\.gitignore$)/.test(
    path,
  );
}

/** The hash of each file; one that is not there, or no plain file, has one of its own. */
async function hashesOf(area: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const left = [...new Set(paths)];
  const work = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop())
      found.set(path, (await hashOfPlain(area, path)) ?? "none");
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return found;
}

function nameOf({ workflow, pass, step, attempt }: StepRef): string {
  return canonical([workflow, pass, step, attempt]);
}

async function keep(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
}

async function readNote(file: string): Promise<Note | undefined> {
  try {
    const note: unknown = JSON.parse(await readFile(file, "utf8"));
    return isObject(note) && typeof note.commit === "string" && isObject(note.files)
      ? (note as unknown as Note)
      : undefined;
  } catch {
    return undefined;
  }
}
