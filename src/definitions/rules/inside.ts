import { liesIn } from "../../paths/lies-in.ts";
import { realPathOf } from "../stand.ts";

/** Tells whether a file that exists really lies in a folder, with every link on the way followed. */
export function isInside(folder: string, path: string): boolean {
  const [outer, inner] = [realPathOf(folder), realPathOf(path)];
  return outer !== undefined && inner !== undefined && outer !== inner && liesIn(outer, inner);
}
