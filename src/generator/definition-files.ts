import { type Dirent, existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { liesIn } from "../paths/lies-in.ts";
import { realPathSync } from "../paths/real-path.ts";
import type { Files } from "./files.ts";
import { inOrder } from "./files.ts";

/** The files that make a bot, at their places below the definitions folder; or the one that cannot be packed, and why. */
export type CollectedDefinitions = { readonly files: Files } | { readonly refused: string };

/** Collects what stands in some folders and files of a definitions folder; a link is followed only where it stays inside. */
export function collectDefinitions(definitions: string, parts: readonly string[]): CollectedDefinitions {
  const files = new Map<string, Uint8Array>();
  const root = realpathSync.native(definitions);
  try {
    for (const part of parts) {
      if (!liesIn(definitions, part)) throw new NotPacked(part, "lies outside the definitions folder");
      if (existsSync(part)) collect(part, [], { root, definitions, files });
    }
  } catch (error) {
    if (error instanceof NotPacked) return { refused: error.message };
    throw error;
  }
  return { files: inOrder(files) };
}

type Collecting = { readonly root: string; readonly definitions: string; readonly files: Map<string, Uint8Array> };

/** Ends the walk from wherever it is; never leaves this file. */
class NotPacked extends Error {
  constructor(path: string, why: string) {
    super(`${path} ${why}: nothing from elsewhere is packed. Put a copy of what you need in its place.`);
  }
}

function collect(path: string, way: readonly string[], collecting: Collecting): void {
  const real = realPathSync(path);
  if (real === undefined) throw new NotPacked(path, "is a link that leads nowhere");
  if (!liesIn(collecting.root, real)) throw new NotPacked(path, "leads out of the definitions folder");
  const stats = statSync(real);
  if (stats.isFile()) {
    collecting.files.set(relative(collecting.definitions, path).split(sep).join("/"), readFileSync(real));
  } else if (stats.isDirectory()) {
    if (way.includes(real)) throw new NotPacked(path, "leads back into itself");
    for (const { name } of readdirSync(real, { withFileTypes: true }).filter(isRead)) {
      collect(join(path, name), [...way, real], collecting);
    }
  }
}

/** What begins with a dot is never read as a definition: drafts, and what editors leave behind. */
function isRead({ name }: Dirent): boolean {
  return !name.startsWith(".");
}
