import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { realPath } from "../../kit/real-path.ts";
import type { AddResult } from "./add-to-json.ts";

/** Rewrites a file inside a folder whole or not at all, one at a time; a link out of the folder is not touched. */
export function rewriteFile(folder: string, path: string, edit: (text: string) => AddResult): Promise<AddResult> {
  const rewritten = lastRewrite.then(() => rewrite(folder, path, edit));
  lastRewrite = rewritten;
  return rewritten;
}

/** Serializes rewrites in this process, so that two corrections do not share a draft. */
let lastRewrite: Promise<unknown> = Promise.resolve();

async function rewrite(folder: string, path: string, edit: (text: string) => AddResult): Promise<AddResult> {
  const [outer, target] = await Promise.all([folder, path].map(realPath));
  if (outer === undefined || target === undefined || outer === target || !isPathInside(outer, target))
    return { refused: "its file is not in the bot's folder" };
  try {
    const text = await readFile(target, "utf8");
    const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
    const edited = edit(text.slice(mark.length));
    if (!("text" in edited)) return edited;
    const isCurrent = async (): Promise<boolean> => (await readFile(target, "utf8")) === text;
    const isPublished = await publish(target, mark + edited.text, isCurrent);
    return isPublished ? edited : { refused: "its file has just changed; call again" };
  } catch (error) {
    return { refused: `its file cannot be written (${error instanceof Error ? error.message : String(error)})` };
  }
}

async function publish(target: string, text: string, isCurrent: () => Promise<boolean>): Promise<boolean> {
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.draft`);
  await rm(draft, { force: true }); // left by a crash of ours
  try {
    const file = await open(draft, "wx", (await stat(target)).mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    if (!(await isCurrent())) return false;
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
  await syncFolder(dirname(target));
  return true;
}

/** Makes a rename durable if the system can; a failure here does not undo it. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, "r").catch(() => undefined);
  await opened?.sync().catch(() => undefined);
  await opened?.close().catch(() => undefined);
}
