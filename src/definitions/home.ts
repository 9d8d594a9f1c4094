import { statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { liesIn } from "../paths/lies-in.ts";
import { realPath, realPathSync } from "../paths/real-path.ts";

/** A link leads out of the folder of definitions. It is not followed: what lies there is not the author's word. */
export class LeadsOut extends Error {
  constructor(readonly isFolder: boolean) {
    super("it is a link that leads out of the definitions folder, or stands behind one, and is not followed");
  }
}

/** Throws where links lead out of the folder of definitions on the way to a path in it. Of paths that are not in it nothing is asked. */
export function keepInside(home: string, path: string): void {
  const asked = resolve(path);
  if (!liesIn(home, asked)) return;
  const real = realPathSync(asked) ?? realPathSync(dirname(asked));
  if (real === undefined || real === asked || liesIn(realHome(home, realPathSync(above(home))), real)) return;
  throw new LeadsOut(attempt(() => statSync(asked).isDirectory()) === true);
}

/** Where folders really stand, each found out once. */
export type RealFolders = (folder: string) => Promise<string | undefined>;

/** Begins to find out where folders stand. */
export function realFolders(): RealFolders {
  const known = new Map<string, Promise<string | undefined>>();
  return (folder) => {
    const real = known.get(folder) ?? realPath(folder);
    known.set(folder, real);
    return real;
  };
}

/** The same without holding anybody up: answers what would be thrown. `isLink`: the path itself is one. */
export async function leadsOut(
  home: string,
  path: string,
  isLink: boolean,
  realFolder: RealFolders,
): Promise<LeadsOut | undefined> {
  const asked = resolve(path);
  if (!liesIn(home, asked)) return undefined;
  const folder = await realFolder(dirname(asked));
  const real = ((isLink || asked === home) && (await realPath(asked))) || (folder && join(folder, basename(asked)));
  if (real === undefined || real === asked) return undefined;
  if (liesIn(realHome(home, await realFolder(above(home))), real)) return undefined;
  return new LeadsOut((await stat(asked).catch(() => undefined))?.isDirectory() === true);
}

const ownName = ".waymark";

/** A folder that a person named may be a link; a `.waymark` may not. */
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
