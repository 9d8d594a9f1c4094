import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { liesIn } from "../../paths/lies-in.ts";
import { realPath } from "../../paths/real-path.ts";
import type { Added } from "./add-to-json.ts";

/** Rewrites a file inside a folder, whole or not at all; one that a link leads out of the folder is not touched. One is rewritten at a time. */
export function rewriteFile(folder: string, path: string, edit: (text: string) => Added): Promise<Added> {
  const rewritten = before.then(() => rewrite(folder, path, edit));
  before = rewritten;
  return rewritten;
}

/** What this process rewrites already: two corrections of one file must not take each other's draft. */
let before: Promise<unknown> = Promise.resolve();

async function rewrite(folder: string, path: string, edit: (text: string) => Added): Promise<Added> {
  const [outer, target] = await Promise.all([folder, path].map(realPath));
  if (outer === undefined || target === undefined || outer === target || !liesIn(outer, target))
    return { refused: "its file does not lie in the bot's folder" };
  try {
    const text = await readFile(target, "utf8");
    const edited = edit(text);
    if (!("text" in edited)) return edited;
    const isCurrent = async (): Promise<boolean> => (await readFile(target, "utf8")) === text;
    const isPublished = await publish(target, edited.text, isCurrent);
    return isPublished ? edited : { refused: "its file has changed meanwhile; call again" };
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

/** Makes a rename last, where the system can: it is done already, and not undone by a failure here. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, "r").catch(() => undefined);
  await opened?.sync().catch(() => undefined);
  await opened?.close().catch(() => undefined);
}
