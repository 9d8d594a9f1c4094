import { createHash } from "node:crypto";
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isObject } from "../../evidence/json.ts";
import { stateFolder } from "./belief/machine.ts";
import { tempPath } from "./disk.ts";
import { unlessFault } from "./faults.ts";
import { makeFolders } from "./make-folders.ts";

/** More project areas of one root than this are not remembered, the oldest first. */
const most = 50;

/**
 * Remembers on this machine that work of a root stands in a project area of its own: whoever looks from the root, as a host's
 * hook does, would find nothing there that says so. What cannot be remembered is left.
 */
export function rememberArea(root: string, area: string): void {
  const [from, to] = [realOf(root), realOf(area)];
  if (from === to) return;
  const known = knownAreas(root);
  if (known.includes(to)) return;
  unlessFault(() => {
    const folder = join(stateFolder(), "areas");
    makeFolders(folder, 0o700);
    const draft = tempPath(folder);
    try {
      writeFileSync(draft, JSON.stringify({ root: from, areas: [...known, to].slice(-most) }), { mode: 0o600 });
      renameSync(draft, fileOf(from));
    } finally {
      rmSync(draft, { force: true });
    }
  });
}

/** The project areas of their own that work of a root was seen in, as far as they are still there. */
export function knownAreas(root: string): readonly string[] {
  const file = fileOf(realOf(root));
  const isPlain = unlessFault(() => statSync(file, { throwIfNoEntry: false })?.isFile()) === true;
  const value = isPlain ? parsed(unlessFault(() => readFileSync(file, "utf8")) ?? "") : undefined;
  const areas: readonly unknown[] = isObject(value) && Array.isArray(value.areas) ? value.areas : [];
  return areas.flatMap((area) => (typeof area === "string" && isFolder(area) ? [area] : []));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fileOf(root: string): string {
  return join(stateFolder(), "areas", `${createHash("sha256").update(root).digest("hex")}.json`);
}

function isFolder(path: string): boolean {
  return unlessFault(() => statSync(path, { throwIfNoEntry: false })?.isDirectory()) === true;
}

function realOf(path: string): string {
  return unlessFault(() => realpathSync(path)) ?? resolve(path);
}
