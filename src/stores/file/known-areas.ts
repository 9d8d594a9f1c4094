import { createHash } from "node:crypto";
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { unlessIoError } from "../../kit/io-errors.ts";
import { isObject, parsedJson } from "../../kit/json.ts";
import { makeFolders } from "../../kit/make-folders.ts";
import { tempPath } from "./atomic-file.ts";
import { stateFolder } from "./trust/machine-state.ts";

/** The most project areas remembered per root; the oldest are dropped. */
const most = 50;

/** Remembers that a root's work is in its own project area, so that a host's hook can find it from the root; best effort. */
export function rememberArea(root: string, area: string): void {
  const [from, to] = [realOf(root), realOf(area)];
  if (from === to) return;
  const known = knownAreas(root);
  if (known.includes(to)) return;
  unlessIoError(() => {
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

/** The known project areas of a root that still exist. */
export function knownAreas(root: string): readonly string[] {
  const file = fileOf(realOf(root));
  const isPlain = unlessIoError(() => statSync(file, { throwIfNoEntry: false })?.isFile()) === true;
  const value = isPlain ? parsedJson(unlessIoError(() => readFileSync(file, "utf8")) ?? "") : undefined;
  const areas: readonly unknown[] = isObject(value) && Array.isArray(value.areas) ? value.areas : [];
  return areas.flatMap((area) => (typeof area === "string" && isFolder(area) ? [area] : []));
}

function fileOf(root: string): string {
  return join(stateFolder(), "areas", `${createHash("sha256").update(root).digest("hex")}.json`);
}

function isFolder(path: string): boolean {
  return unlessIoError(() => statSync(path, { throwIfNoEntry: false })?.isDirectory()) === true;
}

function realOf(path: string): string {
  return unlessIoError(() => realpathSync(path)) ?? resolve(path);
}
