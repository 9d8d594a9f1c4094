import type { JsonObject } from "../kit/json.ts";

/** An item as its list has it now. */
export type ListedItem = {
  readonly id: string;
  readonly title: string;
  /** The digest of its text, without its number and its tick. */
  readonly digest: string;
  /** The ids of the items that it waits for. */
  readonly after: readonly string[];
  /** The fields that texts, inputs and conditions can use. */
  readonly values: JsonObject;
  /** The list marks it as done. */
  readonly ticked?: true;
};

/** An item as it was taken; `was` is the id it had before its list was renumbered. */
export type TakenItem = ListedItem & { readonly was?: string };

/** An item of a step, and its state. `failed`: its session ended with an outcome that does not settle it. */
export type ItemState = ListedItem & {
  readonly status: "waiting" | "open" | "settled" | "dropped" | "failed";
  /** Its sessions in this round, the newest last. */
  readonly sessions?: readonly string[];
  readonly outcome?: string;
  /** The head of its session's history when it was settled. */
  readonly head?: string;
  readonly collected?: JsonObject;
  /** It was settled in an earlier round and carries over. */
  readonly isCarried?: true;
  /** Its list no longer has it; only a person can drop it. */
  readonly isGone?: true;
};

/** The items of a step in one round. */
export type StepItems = {
  readonly round: number;
  /** The hash of the list they were taken from. */
  readonly list: string;
  readonly items: readonly ItemState[];
  /** The pinned definition of the workflow they use, if the step's own definition is not pinned. */
  readonly definition?: string;
};

/** The numbers and ids that a caller sees. */
export type ItemsOverview = {
  readonly total: number;
  readonly settled: number;
  readonly open: readonly string[];
  readonly ready: readonly string[];
};
