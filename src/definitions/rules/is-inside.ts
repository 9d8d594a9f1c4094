import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";

/** True if a file exists inside a folder, with all links followed. */
export function isInside(definitions: DefinitionSnapshot, folder: string, path: string): boolean {
  const [outer, inner] = [definitions.realPath(folder), definitions.realPath(path)];
  return outer !== undefined && inner !== undefined && outer !== inner && isPathInside(outer, inner);
}
