import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";

/** Waymark's file in a project that has it among its packages. */
export const packagedFile = "node_modules/waymark/dist/waymark.js";

/** Where a project has Waymark among its packages, seen from its folder; in a repository of many projects also further up. */
export function installedIn(root: string): string | undefined {
  const above = foldersFrom(root);
  const top = above.findIndex((folder) => existsSync(join(folder, ".git")));
  const found = above.slice(0, top + 1 || 1).find((folder) => existsSync(join(folder, packagedFile)));
  return found === undefined ? undefined : relative(root, join(found, packagedFile)).split(sep).join("/");
}

/** npx notes beside its copies what it was asked for: a version comes from a registry, a path or an address does not. */
export function isFromRegistry(script: string): boolean {
  const at = script.lastIndexOf(`${sep}_npx${sep}`);
  const store = at === -1 ? undefined : script.slice(0, script.indexOf(sep, at + 6));
  if (store === undefined || dirname(store) === store) return false;
  try {
    const noted: { dependencies?: { waymark?: unknown } } = JSON.parse(
      readFileSync(join(store, "package.json"), "utf8"),
    );
    return /^[\^~=v]?\d/.test(String(noted.dependencies?.waymark));
  } catch {
    return false;
  }
}

/** Whether the command `waymark` starts this very Waymark in any shell of this person's. */
export function isCommand(script: string, path: string, platform: string): boolean {
  // npm puts folders of packages before the others for as long as it runs something.
  const folders = path
    .split(delimiter)
    .filter((folder) => folder !== "" && !folder.endsWith(join("node_modules", ".bin")));
  const name = platform === "win32" ? "waymark.cmd" : "waymark";
  const found = folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
  return found !== undefined && (platform === "win32" || realpathSync(found) === script);
}

function foldersFrom(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}
