import { relative, resolve } from "node:path";
import { isPathInside } from "../kit/is-path-inside.ts";
import { realPathOfNew } from "../kit/real-path.ts";
import { Unavailable } from "../kit/unavailable.ts";

/** Checks that project areas stay where they are: rejects one that now leads elsewhere, and one inside the root that leads out of it. The root itself may be a link. */
export function guardAreas(root: string): (area: string) => Promise<void> {
  const first = new Map<string, string>();
  return async (area) => {
    const relativePath = relative(resolve(root), resolve(area));
    if (relativePath === "") return;
    const real = await realPathOfNew(area);
    if (isPathInside(resolve(root), resolve(area)) && !isPathInside(await realPathOfNew(root), real))
      throw new Unavailable(`The project area ${relativePath} leads out of the project through a link.`, fixAreaLink);
    const known = first.get(area) ?? real;
    first.set(area, known);
    if (known !== real)
      throw new Unavailable(
        `The project area ${relativePath} now leads to another folder, through a link.`,
        fixAreaLink,
      );
  };
}

const fixAreaLink = "Put the folder itself there, or name the right one with --project-area.";
