import { type Dirent, existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isPathInside } from "../kit/is-path-inside.ts";
import { realPathSync } from "../kit/real-path.ts";
import type { Files } from "./files.ts";
import { inOrder } from "./files.ts";

/** The files of a bot by their path in the definitions folder, or why one cannot be packed. */
export type CollectedDefinitions = { readonly files: Files } | { readonly refused: string };

/** Collects folders and files of a definitions folder; follows links only if they stay inside. */
export function collectDefinitions(definitions: string, parts: readonly string[]): CollectedDefinitions {
  const files = new Map<string, Uint8Array>();
  const root = realpathSync.native(definitions);
  try {
    for (const part of parts) {
      if (!isPathInside(definitions, part)) throw new NotPacked(part, "is outside the definitions folder");
      if (existsSync(part)) collect(part, [], { root, definitions, files });
    }
  } catch (error) {
    if (error instanceof NotPacked) return { refused: error.message };
    throw error;
  }
  return { files: inOrder(files) };
}

type Collecting = { readonly root: string; readonly definitions: string; readonly files: Map<string, Uint8Array> };

/** Ends the walk from anywhere; never leaves this file. */
class NotPacked extends Error {
  constructor(path: string, why: string) {
    super(`${path} ${why}, so it cannot be packed. Replace it with a copy of what you need.`);
  }
}

function collect(path: string, way: readonly string[], collecting: Collecting): void {
  const real = realPathSync(path);
  if (real === undefined) throw new NotPacked(path, "is a broken link");
  if (!isPathInside(collecting.root, real)) throw new NotPacked(path, "points outside the definitions folder");
  const stats = statSync(real);
  if (stats.isFile()) {
    collecting.files.set(relative(collecting.definitions, path).split(sep).join("/"), readFileSync(real));
  } else if (stats.isDirectory()) {
    if (way.includes(real)) throw new NotPacked(path, "is a link to one of its own parent folders");
    for (const { name } of readdirSync(real, { withFileTypes: true }).filter(isRead)) {
      collect(join(path, name), [...way, real], collecting);
    }
  }
}

/** Skips dot-files, which are never definitions. */
function isRead({ name }: Dirent): boolean {
  return !name.startsWith(".");
}
