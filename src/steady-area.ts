import { isAbsolute, relative, resolve, sep } from "node:path";
import { Unavailable } from "./evidence/unavailable.ts";
import { realPath } from "./repository/repository.ts";

/**
 * Looks whether project areas stay where they are: rejects for one that leads elsewhere than when it was first looked at, and for one
 * that is named inside the root and leads out of it. The root itself is whatever its name leads to.
 */
export function steadyAreas(root: string): (area: string) => Promise<void> {
  const first = new Map<string, string>();
  return async (area) => {
    const way = relative(resolve(root), resolve(area));
    if (way === "") return;
    const real = await realPath(area);
    if (isBelow(way) && !isBelow(relative(await realPath(root), real)))
      throw new Unavailable(`The project area ${way} leads out of the project through a link.`, putBack);
    const known = first.get(area) ?? real;
    first.set(area, known);
    if (known !== real)
      throw new Unavailable(`The project area ${way} has come to lead to another folder, through a link.`, putBack);
  };
}

const putBack = "Put the folder itself there, or name the one that is meant with --project-area.";

function isBelow(way: string): boolean {
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
