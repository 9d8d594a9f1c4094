import { mkdir, open, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { keysFolder } from "./own-keys.ts";
import { makeRunnerKey, openRunnerKey, type RunnerKey } from "./runner-key.ts";

/** The folder of this user's runner keys, outside every project. */
export function runnerKeysFolder(): string {
  return join(dirname(keysFolder()), "runners");
}

/** Opens the key of this name, or creates it, readable only by its owner. */
export async function ownRunnerKey(
  name: string,
): Promise<{ readonly own: RunnerKey; readonly file: string; readonly isNew: boolean }> {
  const file = join(runnerKeysFolder(), `${name}.pem`);
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) return { own: openRunnerKey(known), file, isNew: false };
  const { text, own } = makeRunnerKey();
  await mkdir(runnerKeysFolder(), { recursive: true, mode: 0o700 });
  const made = await open(file, "wx", 0o600);
  try {
    await made.writeFile(text);
    await made.sync();
  } finally {
    await made.close();
  }
  return { own, file, isNew: true };
}

/** The names of this user's runner keys. */
export async function runnerKeyNames(): Promise<readonly string[]> {
  const names = await readdir(runnerKeysFolder()).catch((): string[] => []);
  return names
    .filter((name) => name.endsWith(".pem"))
    .map((name) => name.slice(0, -".pem".length))
    .sort();
}
