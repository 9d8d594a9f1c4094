import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { WorkTree } from "../../engine/ports/checks.ts";
import { canonical, isObject } from "../../kit/json.ts";
import { sha256 } from "../../kit/sha256.ts";
import { askGit } from "../../repository/git/ask-git.ts";
import type { StepRef } from "../../workflow/events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { hashOfPlain } from "../files/read-plain.ts";
import { compileGlob } from "../rules/glob.ts";
import { emptyTree } from "./list-against.ts";
import { commitOf, isRepository, treeComparer } from "./tree-changes.ts";

/** The state of a work tree when a step was opened: its commit, and the hashes of files that differed from it. */
type WorkTreeNote = {
  readonly ref: string;
  readonly commit: string;
  readonly files: { readonly [path: string]: string };
};

/** The most files hashed one by one. */
const mostFiles = 5000;

/** Compares the files of a project area with their state when a step was opened, using git; the notes are kept outside the area. */
export function workTree(area: string, notes: string): WorkTree {
  const compare = treeComparer();
  const changedSince = async (commit: string): Promise<readonly string[] | undefined> => {
    const changes = await compare(area, commit);
    return "failed" in changes ? undefined : changes.paths.filter((path) => !isEngineFile(path));
  };
  const fileOf = (id: StreamId, { workflow }: StepRef): string =>
    join(notes, `${sha256(canonical([area, id.kind, id.name, id.run ?? "", workflow]))}.json`);
  return {
    head: () => commitOf(area),
    async mark(id, ref) {
      const commit = await commitOf(area);
      const changed = commit === undefined ? undefined : await changedSince(commit);
      if (commit === undefined || changed === undefined || changed.length > mostFiles) return;
      const note: WorkTreeNote = {
        ref: attemptName(ref),
        commit,
        files: Object.fromEntries(await hashesOf(area, changed)),
      };
      await keep(fileOf(id, ref), JSON.stringify(note)).catch(() => undefined); // then later calls cannot tell
    },
    async changedOutside(id, ref, edits, { submitted, saved }) {
      const commit = await commitOf(area);
      if (commit === undefined) return { unknown: "the project area is not in a git work tree" };
      const note = await readNote(fileOf(id, ref));
      if (note?.ref !== attemptName(ref))
        return { unknown: "the state of the files when it was opened was not recorded here" };
      if (!(await isBefore(area, note.commit))) return { unknown: "another branch was checked out since" };
      const changed = await changedSince(note.commit);
      if (changed === undefined || changed.length > mostFiles)
        return { unknown: `git could not list the changes, or lists more than ${mostFiles} files` };
      const isOutside = outsideOf(edits);
      // A file that differed when the step was opened may equal the commit by now: the change was discarded.
      const candidates = [...new Set([...changed, ...Object.keys(note.files)])];
      const paths = [...candidates, ...submitted.map(({ path }) => path)].filter(isOutside);
      const now = await hashesOf(area, paths);
      // Waymark itself saved what an earlier step submitted.
      const isSaved = (path: string): boolean => saved.some((one) => one.path === path && one.sha256 === now.get(path));
      const files = candidates.filter(
        (path) => isOutside(path) && now.get(path) !== note.files[path] && !isSaved(path),
      );
      const toCome = submitted.filter(({ path, sha256: hash }) => isOutside(path) && now.get(path) !== hash);
      return { files: [...new Set([...files, ...toCome.map(({ path }) => path)])].sort() };
    },
  };
}

/** Matches paths that no glob covers; an invalid glob covers nothing. */
function outsideOf(edits: readonly string[]): (path: string) => boolean {
  const matchers = edits.map((glob) => compileGlob(glob)).filter((one) => typeof one === "function");
  return (path) => !matchers.some((matches) => matches(path));
}

async function isBefore(area: string, commit: string): Promise<boolean> {
  return commit === emptyTree || "text" in (await askGit(area, "merge-base", "--is-ancestor", commit, "HEAD"));
}

/** Tells if the engine or `init` keeps this path in a project area. */
function isEngineFile(path: string): boolean {
  return /^(workflow_state|activity_log)\.json$|^\.waymark\/((journal|held|kept|tmp|sessions|runs|pinned|index|backups|open|notices|heads)\/|\.gitignore$)/.test(
    path,
  );
}

/** The hash of each file; a missing or special file gets a fixed value. */
async function hashesOf(area: string, paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const left = [...new Set(paths)];
  const work = async (): Promise<void> => {
    for (let path = left.pop(); path !== undefined; path = left.pop())
      found.set(path, (await hashOfPlain(area, path)) ?? (await commitAt(join(area, path))) ?? "none");
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return found;
}

/** The commit of a submodule or nested repository. */
async function commitAt(folder: string): Promise<string | undefined> {
  return (await isRepository(folder)) ? commitOf(folder) : undefined;
}

function attemptName({ workflow, pass, step, attempt }: StepRef): string {
  return canonical([workflow, pass, step, attempt]);
}

async function keep(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
}

async function readNote(file: string): Promise<WorkTreeNote | undefined> {
  try {
    const note: unknown = JSON.parse(await readFile(file, "utf8"));
    return isObject(note) && typeof note.commit === "string" && isObject(note.files)
      ? (note as unknown as WorkTreeNote)
      : undefined;
  } catch {
    return undefined;
  }
}
