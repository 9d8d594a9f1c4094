import { relative, resolve } from "node:path";
import { Unavailable } from "./evidence/unavailable.ts";
import { liesIn } from "./paths/lies-in.ts";
import { realPathToCome } from "./paths/real-path.ts";

/**
 * Looks whether project areas stay where they are: rejects for one that leads elsewhere than when it was first looked at, and for one
 * that is named inside the root and leads out of it. The root itself is whatever its name leads to.
 */
export function steadyAreas(root: string): (area: string) => Promise<void> {
  const first = new Map<string, string>();
  return async (area) => {
    const way = relative(resolve(root), resolve(area));
    if (way === "") return;
    const real = await realPathToCome(area);
    if (liesIn(resolve(root), resolve(area)) && !liesIn(await realPathToCome(root), real))
      throw new Unavailable(`The project area ${way} leads out of the project through a link.`, putBack);
    const known = first.get(area) ?? real;
    first.set(area, known);
    if (known !== real)
      throw new Unavailable(`The project area ${way} has come to lead to another folder, through a link.`, putBack);
  };
}

const putBack = "Put the folder itself there, or name the one that is meant with --project-area.";
