import type { JsonObject } from "../../kit/json.ts";
import type { Repair, ViewComparison } from "../../workflow/reconcile.ts";
import type { StreamId } from "../../workflow/stream-id.ts";

/** The view found in the project area. */
export type FoundView = {
  readonly found: ViewComparison;
  /** A log that existed before our first record. */
  readonly foundLog?: readonly JsonObject[];
  /** Names a view that is not ours; the record that answers it carries this name. */
  readonly answers?: string | undefined;
  readonly warnings: readonly string[];
};

/** The views of a stream for people: projections of its log, never more. */
export type Views = {
  /** Compares the view on disk with the history. */
  compare(id: StreamId): Promise<FoundView>;
  /** Publishes the current state. */
  publish(id: StreamId): Promise<readonly string[]>;
  /** Rewrites a view from the history, keeping the found file aside if asked to. */
  repair(id: StreamId, repair: Repair): Promise<readonly string[]>;
  /** The views' contents as the history has them. */
  contents(id: StreamId): Promise<JsonObject>;
  /** Compares each view with the history. */
  audit(id: StreamId): Promise<readonly { readonly view: string; readonly verdict: ViewVerdict }[]>;
};

/** The state of a view: as the history says, an earlier point of it, not there, cut short by a crash, not readable, or different. */
export type ViewVerdict = "current" | "behind" | "missing" | "torn" | "unreadable" | "differs";
