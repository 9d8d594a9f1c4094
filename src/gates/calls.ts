import { canonical, type Json, type JsonObject } from "../kit/json.ts";
import type { Source } from "./source.ts";

/** The work of a step that is done in sessions of another workflow: one session, or one for each item. */
export type Calls = {
  readonly workflow: string;
  /** The list of items; absent for a single session. */
  readonly each?: ItemSource;
  /** The field of an item that names the items it waits for. */
  readonly after?: string;
  /** The number of items that may be open at once. */
  readonly parallel: number;
  /** Takes items that the list marks as done as settled. */
  readonly ticked?: true;
  /** The inputs of the sessions, with placeholders. */
  readonly with: JsonObject;
  /** The outcomes of an item that settle it. */
  readonly accept: readonly string[];
  /** The evidence that the step gets from its items: a field of this step for a field of a step of theirs. */
  readonly collect: readonly Collected[];
  readonly source?: Source;
};

/** A field of a step, and the step and field of an item's session that it comes from. */
export type Collected = { readonly field: string; readonly step: string; readonly from: string };

/** The source of items: values, a field of an earlier step, an input, or a file or folder with a list of tasks. */
export type ItemSource =
  | { readonly in: readonly Json[] }
  | { readonly step: string; readonly field: string }
  | { readonly input: string }
  | { readonly file: string /** Only the tasks of this phase of the list. */; readonly phase?: number };

/** The limits of items: in one step, and how deep workflows may call each other. */
export const maxItems = 1000;
export const maxDepth = 4;

/** The size of the largest list of items, in bytes. */
export const maxListBytes = 1024 * 1024;

/** The normal form of what a step calls. */
export function callsMeaning({
  workflow,
  each,
  after,
  parallel,
  ticked,
  with: inputs,
  accept,
  collect,
}: Calls): JsonObject {
  return {
    calls: {
      workflow,
      ...(each === undefined ? {} : { each: { ...each }, parallel }),
      ...(after === undefined ? {} : { after }),
      ...(ticked === undefined ? {} : { ticked }),
      ...(Object.keys(inputs).length === 0 ? {} : { with: inputs }),
      accept: [...accept].sort(),
      ...(collect.length === 0
        ? {}
        : {
            collect: collect
              .map((one): JsonObject => ({ ...one }))
              .sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1)),
          }),
    },
  };
}
