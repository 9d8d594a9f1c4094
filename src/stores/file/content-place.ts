import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { pathProblem } from "../content/path.ts";
import type { Place } from "../content/refusals.ts";
import { faultCode } from "./faults.ts";

/** Finds the place of a content path inside the project area, as the disk stands now. `size` is null where no file is there. */
export function placeOf(area: string, path: string): Place {
  const problem = pathProblem(path);
  if (problem !== undefined) return { problem };
  try {
    return resolvePlace(realpathSync(area), path);
  } catch (error) {
    const code = faultCode(error);
    if (code === undefined) throw error;
    return { problem: code === "ENOTDIR" ? notFolder : `it cannot be reached (${code})` };
  }
}

const notFolder = "a file stands where it needs a folder";

function resolvePlace(root: string, path: string): Place {
  const asked = join(root, path);
  const ancestor = deepestExisting(dirname(asked), root);
  const real = realpathSync(ancestor);
  if (real !== root && !real.startsWith(root + sep)) return { problem: "it leaves the project area through a link" };
  if (!statSync(real).isDirectory()) return { problem: notFolder };
  const target = join(real, relative(ancestor, asked));
  // A link inside the area may still lead into a dot-folder, or to the two files that are ours.
  const problem = pathProblem(relative(root, target).split(sep).join("/"));
  if (problem !== undefined) return { problem: `through a link, ${problem}` };
  const standing = lstatSync(target, { throwIfNoEntry: false });
  if (standing === undefined) return { target, size: null };
  if (standing.isSymbolicLink()) return { problem: "it is a link" };
  if (!standing.isFile()) return { problem: standing.isDirectory() ? "it is a folder" : "it is not a regular file" };
  const isFixed = ["workflow_state.json", "activity_log.json"].some((name) => {
    const fixed = lstatSync(join(root, name), { throwIfNoEntry: false });
    return fixed !== undefined && fixed.ino === standing.ino && fixed.dev === standing.dev;
  });
  return isFixed ? { problem: "it is a file that Waymark alone writes" } : { target, size: standing.size };
}

/** The nearest folder above that is there; a link that leads nowhere is there. */
function deepestExisting(folder: string, root: string): string {
  let current = folder;
  while (current !== root && lstatSync(current, { throwIfNoEntry: false }) === undefined) current = dirname(current);
  return current;
}
