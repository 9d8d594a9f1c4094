import { readFile } from "node:fs/promises";
import { relative, sep } from "node:path";
import type { DefinitionSnapshot, FileContent } from "../../engine/ports/definition-snapshot.ts";
import { sha256 } from "../../kit/sha256.ts";
import { loaded, standards } from "./keep-snapshot.ts";

/** Creates a function that hashes a definitions folder by its files; unchanged files are not hashed again. */
export function versionReader(): (...parts: readonly DefinitionSnapshot[]) => Promise<string> {
  const known = new WeakMap<FileContent, string>();
  async function hashOf(path: string, file: FileContent): Promise<string> {
    const hash = known.get(file) ?? sha256(file.text ?? (await readFile(path).catch(() => "")));
    known.set(file, hash);
    return hash;
  }
  return async (...parts) => {
    const named: (readonly [string, string])[] = [];
    for (const { folder, entries } of parts)
      for (const [path, entry] of entries) {
        const names = relative(folder, path).split(sep);
        if (entry.kind === "folder" || !isServed(names)) continue;
        // A link counts by its own path.
        named.push([names.join("/"), entry.kind === "file" ? await hashOf(path, entry) : ""]);
      }
    return sha256(JSON.stringify(named.sort(([one], [other]) => (one < other ? -1 : 1)))).slice(0, 16);
  };
}

function isServed(names: readonly string[]): boolean {
  const [part = ""] = names;
  return [...loaded.parts, ...standards.parts].includes(part) && !names.some((name) => name.startsWith("."));
}
