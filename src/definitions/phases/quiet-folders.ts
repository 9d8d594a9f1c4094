import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { FolderWatch } from "../../engine/phased-ports.ts";

/** Knows, mostly without looking, whether anything has changed in a folder. */
export type QuietFolders = {
  /** Listens from now on; what is read afterwards is read fresh. */
  listen(): void;
  isQuiet(): Promise<boolean>;
};

/** A system may not hear of every change (a folder of another machine): so often, in milliseconds, all is looked at again. */
const longestTrust = 2000;

/** Listens to a folder and all below it. A link among them leads where nobody listens: then nothing is ever called quiet. */
export function quietFolders(folder: string, watch: FolderWatch | undefined): QuietFolders {
  let listeningSince: number | undefined;
  return {
    listen() {
      const folders = watch === undefined ? undefined : foldersBelow(folder);
      listeningSince = folders === undefined ? undefined : performance.now();
      if (folders !== undefined) watch?.cover(folders);
    },
    async isQuiet() {
      const isTrusted = listeningSince !== undefined && performance.now() - listeningSince < longestTrust;
      return isTrusted && (await watch?.isQuiet()) === true;
    },
  };
}

function foldersBelow(folder: string): string[] | undefined {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    if (entries.some((entry) => entry.isSymbolicLink())) return undefined;
    const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => foldersBelow(join(folder, name)));
    return below.every((one) => one !== undefined) ? [folder, ...below.flat()] : undefined;
  } catch {
    return undefined;
  }
}
