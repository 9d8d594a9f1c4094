import { readFile } from "node:fs/promises";
import { relative, resolve, sep } from "node:path";
import type { FileContent } from "../engine/ports/definition-snapshot.ts";
import { sha256 } from "../kit/sha256.ts";
import { bots, type CurrentDefinitions, keepSnapshot, standards, workflows } from "./snapshot/keep-snapshot.ts";

/** A definitions folder as a server reads it: snapshots of its parts, each the same for a whole call. */
export type OpenDefinitions = {
  readonly folder: string;
  readonly bots: CurrentDefinitions;
  readonly workflows: CurrentDefinitions;
  readonly standards: CurrentDefinitions;
  /** The hash of everything that is served. */
  version(): Promise<string>;
  close(): void;
};

/** Opens a definitions folder; nothing is read before the first use. */
export function openDefinitions(
  named: string,
  perCall: (find: CurrentDefinitions) => CurrentDefinitions,
): OpenDefinitions {
  const folder = resolve(named);
  const readings = [bots, workflows, standards] as const;
  const [ofBots, ofWorkflows] = [keepSnapshot(folder, bots), keepSnapshot(folder, workflows)];
  const ofStandards = keepSnapshot(folder, standards);
  const keepers = [ofBots, ofWorkflows, ofStandards];
  const served = new Set(readings.flatMap(({ parts }) => parts));
  const hashes = new WeakMap<FileContent, string>();

  async function hashOf(path: string, file: FileContent): Promise<string> {
    const hash = hashes.get(file) ?? sha256(file.text ?? (await readFile(path).catch(() => "")));
    hashes.set(file, hash);
    return hash;
  }

  return {
    folder,
    bots: perCall(ofBots.current),
    workflows: perCall(ofWorkflows.current),
    standards: perCall(ofStandards.current),
    close() {
      for (const keeper of keepers) keeper.close();
    },
    async version() {
      const named = new Map<string, string>();
      for (const { entries } of await Promise.all(keepers.map((keeper) => keeper.current())))
        for (const [path, entry] of entries) {
          const names = relative(folder, path).split(sep);
          if (entry.kind === "folder" || !served.has(names[0] ?? "") || names.some((name) => name.startsWith(".")))
            continue;
          // A link counts by its own path.
          named.set(names.join("/"), entry.kind === "file" ? await hashOf(path, entry) : "");
        }
      return sha256(JSON.stringify([...named].sort(([one], [other]) => (one < other ? -1 : 1)))).slice(0, 16);
    },
  };
}
