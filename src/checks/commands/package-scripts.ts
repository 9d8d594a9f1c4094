import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CommandCheck } from "../../gates/check.ts";
import { isObject } from "../../kit/json.ts";
import { scriptOf } from "../../kit/package-script.ts";

/** The scripts a package manager command would run, with their pre and post scripts. */
export async function packageScriptsOf(
  area: string,
  { run, cwd }: CommandCheck,
): Promise<Readonly<Record<string, string>>> {
  const script = scriptOf(run);
  if (script === undefined) return {};
  const folder = await packageFolder(area, cwd);
  if (folder === undefined) return {};
  const scripts = await scriptsIn(join(area, folder, "package.json"));
  const found: Record<string, string> = {};
  for (const name of [`pre${script}`, script, `post${script}`]) {
    const text = scripts[name];
    if (typeof text === "string") found[`${join(folder, "package.json")} scripts.${name}`] = text;
  }
  return found;
}

/** The nearest folder with a package.json, from the command's folder up to the project area. */
async function packageFolder(area: string, cwd: string): Promise<string | undefined> {
  for (let folder = join(cwd, "."); ; folder = dirname(folder)) {
    const text = await readFile(join(area, folder, "package.json")).catch(() => undefined);
    if (text !== undefined) return folder;
    if (folder === "." || folder === "") return undefined;
  }
}

async function scriptsIn(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const { scripts } = JSON.parse(await readFile(file, "utf8"));
    return isObject(scripts) ? scripts : {};
  } catch {
    return {};
  }
}
