import type { Workflow } from "../../workflow/workflow.ts";
import type { BotTree } from "./tree.ts";

/** One bot, read and compiled. */
export type LiveBot = {
  readonly tree: BotTree;
  readonly workflows: readonly Workflow[];
  /** The descriptions of its behaviors, in the order of the tree. */
  readonly descriptions: readonly string[];
};
