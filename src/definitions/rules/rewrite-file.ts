import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Added } from "./add-to-json.ts";
import { isInside } from "./inside.ts";

/** Rewrites a file inside a folder, whole or not at all; one that a link leads out of the folder is not touched. */
export function rewriteFile(folder: string, path: string, edit: (text: string) => Added): Added {
  if (!isInside(folder, path)) return { refused: "its file does not lie in the bot's folder" };
  try {
    const target = realpathSync(path);
    const before = readFileSync(target, "utf8");
    const edited = edit(before);
    if (!("text" in edited)) return edited;
    const isCurrent = (): boolean => readFileSync(target, "utf8") === before;
    return publish(target, edited.text, isCurrent) ? edited : { refused: "its file has changed meanwhile; call again" };
  } catch (error) {
    return { refused: `its file cannot be written (${error instanceof Error ? error.message : String(error)})` };
  }
}

function publish(target: string, text: string, isCurrent: () => boolean): boolean {
  const draft = join(dirname(target), `.${basename(target)}.${process.pid}.draft`);
  rmSync(draft, { force: true }); // left by a crash of ours
  try {
    const file = openSync(draft, "wx", statSync(target).mode);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (!isCurrent()) return false;
    renameSync(draft, target);
    return true;
  } finally {
    rmSync(draft, { force: true });
  }
}
