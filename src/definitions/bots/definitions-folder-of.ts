import { dirname } from "node:path";
import type { BotTree } from "./tree.ts";

/** The definitions folder that a bot was read from. */
export function definitionsFolderOf({ folder }: BotTree): string {
  return dirname(dirname(folder));
}
