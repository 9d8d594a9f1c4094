import { randomUUID } from "node:crypto";
import { link, lstat, mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { parseSealedKey, type SealedKey } from "./sealed-key.ts";

/** The sealed keys of the person at this machine, by name; other files are ignored. */
export async function ownKeys(folder = keysFolder()): Promise<readonly SealedKey[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const keys = names
    .filter((name) => name.endsWith(".json"))
    .map(async (name) => {
      const text = await readFile(join(folder, name), "utf8").catch(() => undefined);
      const key = text === undefined ? undefined : parseSealedKey(text);
      return key !== undefined && name === `${key.name}.json` ? [key] : [];
    });
  return (await Promise.all(keys)).flat().sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Stores a new key atomically, readable only by its owner; false if one exists. */
export async function storeKey(key: SealedKey, folder = keysFolder()): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temp = join(folder, `.${randomUUID()}`);
  const file = await open(temp, "wx", 0o600);
  try {
    await file.writeFile(`${JSON.stringify(key, null, 2)}\n`);
    await file.sync();
    await link(temp, keyFile(key.name, folder));
    return true;
  } catch (error) {
    if (await pathExists(keyFile(key.name, folder))) return false;
    throw error;
  } finally {
    await file.close();
    await rm(temp, { force: true });
  }
}

/** The file of a key. */
export function keyFile(name: string, folder = keysFolder()): string {
  return join(folder, `${name}.json`);
}

/** Tells if anything exists at a path, even a broken link. */
export function pathExists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/** The folder of a person's keys: in their config folder, outside every project. */
export function keysFolder(): string {
  const home = process.env.XDG_CONFIG_HOME ?? "";
  return join(isAbsolute(home) ? home : join(homedir(), ".config"), "waymark", "keys");
}
