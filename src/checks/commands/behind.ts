import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CommandCheck } from "../../evidence/check.ts";
import { isObject } from "../../evidence/json.ts";
import { scriptOf } from "../../evidence/script-of.ts";

/** What a command of a package manager would run, by where it stands: the script with those before and after it, and settings that change how scripts are run. */
export async function scriptsBehind(
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
  for (const [file, telling] of settings) {
    const text = await readFile(join(area, folder, file), "utf8").catch(() => "");
    const lines = text.split("\n").filter((line) => telling.test(line));
    if (lines.length > 0) found[join(folder, file)] = lines.map((line) => line.trim()).join("; ");
  }
  return found;
}

/** Lines that have scripts run by something else than usual. */
const settings: readonly (readonly [string, RegExp])[] = [
  [".npmrc", /^\s*(?:script-shell|node-options|shell|shell-emulator|ignore-scripts)\s*=/],
  [".yarnrc.yml", /^\s*(?:yarnPath|plugins|- path|injectEnvironmentFiles)\s*:/],
  [".yarnrc", /^\s*(?:yarn-path|script-shell)\b/],
  ["pnpm-workspace.yaml", /^\s*(?:scriptShell|shellEmulator|nodeOptions)\s*:/],
];

/** The nearest folder with a package.json, from where the command runs upwards to the project area. */
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
