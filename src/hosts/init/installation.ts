import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join, relative, sep } from "node:path";

/** Waymark's file in a project that has it as a package. */
export const packagedFile = "node_modules/waymark/dist/waymark.js";
/** The folder of a copy that a project keeps in git, and Waymark's file in it. */
export const vendorFolder = ".waymark/vendor/waymark";
export const vendoredFile = `${vendorFolder}/dist/waymark.js`;

/** The path of a project's installed Waymark, relative to the project; also found in parent folders. */
export function installedIn(root: string): string | undefined {
  const above = foldersFrom(root);
  const top = above.findIndex((folder) => existsSync(join(folder, ".git")));
  const files = above
    .slice(0, top + 1 || 1)
    .flatMap((folder) => [packagedFile, vendoredFile].map((file) => join(folder, file)));
  const found = files.find((file) => existsSync(file));
  return found === undefined ? undefined : relative(root, found).split(sep).join("/");
}

/** True if npx fetched this copy by version from a registry, not by path or URL. */
export function isNpxFromRegistry(script: string): boolean {
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

/** True if the command `waymark` starts this very copy in any shell of this person. */
export function isCommand(script: string, path: string, platform: string): boolean {
  const name = platform === "win32" ? "waymark.cmd" : "waymark";
  const found = ownFolders(path)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file));
  return found !== undefined && (platform === "win32" || realpathSync(found) === script);
}

/** Returns the words that a person types for `waymark` in a project; undefined if the command is on their PATH. */
export function typedCommand(
  root: string,
  script: string,
  { env, platform }: Pick<NodeJS.Process, "env" | "platform">,
): string | undefined {
  const name = platform === "win32" ? "waymark.cmd" : "waymark";
  if (ownFolders(env.PATH ?? "").some((folder) => existsSync(join(folder, name)))) return undefined;
  const installed = installedIn(root);
  if (installed?.endsWith(packagedFile) || isNpxFromRegistry(script)) return "npx waymark";
  if (installed !== undefined) return `node ${installed}`;
  return script.includes(`.zip${sep}`) ? "yarn waymark" : `node ${script}`;
}

/** The folders of a PATH, without the package folders that npm puts first while it runs something. */
function ownFolders(path: string): readonly string[] {
  return path.split(delimiter).filter((folder) => folder !== "" && !folder.endsWith(join("node_modules", ".bin")));
}

function foldersFrom(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...foldersFrom(above)];
}
