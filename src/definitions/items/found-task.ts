import type { JsonObject } from "../../kit/json.ts";

/** One task of a list. */
export type ListedTask = {
  readonly id: string;
  /** False if its id is made of its words. */
  readonly isNumbered: boolean;
  readonly title: string;
  /** Its text as written. */
  readonly text: string;
  /** Its text without its number, its tick and its dependencies; the same text is the same task. */
  readonly digestText: string;
  readonly dependsOn: readonly string[];
  readonly isTicked: boolean;
  readonly values: JsonObject;
  readonly line: number;
};

/** A task list as read: its tasks in order, and lines that could be tasks but are not read as such. */
export type TaskList = { readonly tasks: readonly ListedTask[]; readonly unread: readonly UnreadLine[] };

export type UnreadLine = { readonly line: number; readonly text: string };

/** A task before its dependencies are resolved. */
export type FoundTask = Omit<ListedTask, "dependsOn"> & {
  /** The tasks it names; absent if it names none. */
  readonly named?: readonly string[];
  /** It does not wait for the others of its run. */
  readonly isParallel?: boolean;
  /** The block it is in: only neighbours in one block form a run. */
  readonly block: number;
};

/** The tasks found in a list, and the children of its groups. */
export type FoundTasks = {
  readonly tasks: readonly FoundTask[];
  /** The ids of the children of each parent. */
  readonly parents: ReadonlyMap<string, readonly string[]>;
  readonly unread: readonly UnreadLine[];
};

/** The words of a task without its number, its ticks and what it depends on. */
export function digestTextOf(text: string): string {
  return text
    .replace(/^\s*(?:[-*+]|\d+[.)])?\s*\[[^\]]?\]\*?\s*/, "")
    .replace(/^#+\s*/, "")
    .replace(/^(?:\*\*|`)?(?:Task\s+)?#?(?:T?\d+(?:\.\d+)*[a-z]?|TXXX)(?:\*\*|`)?[.:)\s–—-]+/i, "")
    .replace(/^\[P\]\s*/, "")
    .replaceAll(/\[[ xX~/-]\]/g, "[ ]")
    .replaceAll(dependsLine, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The line of a task that names the tasks it waits for. */
export const dependsLine = /(?:^[ \t]*[-*+][ \t]*)?_?\*{0,2}Depends(?:[ -]on)?:?\*{0,2}:?\s*([^_\n]*)_?/gim;
