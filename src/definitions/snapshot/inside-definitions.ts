import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { realPath, realPathSync } from "../../kit/real-path.ts";

/** Thrown for a link that points outside the definitions folder; it is not followed because its target is not the author's. */
export class OutsideLinkError extends Error {
  constructor(readonly isFolder: boolean) {
    super("it is a link, or behind a link, to a place outside the definitions folder and is not followed");
  }
}

/** Throws if a link on the way to a path inside the definitions folder leads outside; ignores other paths. */
export function assertInside(home: string, path: string): void {
  const asked = resolve(path);
  if (!isPathInside(home, asked)) return;
  const real = realPathSync(asked) ?? realPathSync(dirname(asked));
  if (real === undefined || real === asked || isPathInside(realHome(home, realPathSync(above(home))), real)) return;
  throw new OutsideLinkError(attempt(() => statSync(asked).isDirectory()) === true);
}

/** Resolves the real path of a folder, each folder once. */
export type RealPathCache = (folder: string) => Promise<string | undefined>;

/** Creates an empty cache of real folder paths. */
export function realPathCache(): RealPathCache {
  const known = new Map<string, Promise<string | undefined>>();
  return (folder) => {
    const real = known.get(folder) ?? realPath(folder);
    known.set(folder, real);
    return real;
  };
}

/** Returns what `assertInside` would throw, without blocking; `isLink` says that the path itself is a link. */
export async function checkInside(
  home: string,
  path: string,
  isLink: boolean,
  realFolder: RealPathCache,
): Promise<OutsideLinkError | undefined> {
  const asked = resolve(path);
  if (!isPathInside(home, asked)) return undefined;
  const folder = await realFolder(dirname(asked));
  const real = ((isLink || asked === home) && (await realPath(asked))) || (folder && join(folder, basename(asked)));
  if (real === undefined || real === asked) return undefined;
  if (isPathInside(realHome(home, await realFolder(above(home))), real)) return undefined;
  return new OutsideLinkError((await stat(asked).catch(() => undefined))?.isDirectory() === true);
}

const ownName = ".waymark";

/** The definitions folder may be a link if a person named it, but not if it is a `.waymark`. */
function above(home: string): string {
  return basename(home) === ownName ? dirname(home) : home;
}

function realHome(home: string, real = above(home)): string {
  return basename(home) === ownName ? join(real, ownName) : real;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
