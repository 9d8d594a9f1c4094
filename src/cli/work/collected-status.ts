import type { SeenRunner } from "../../app/list-runners.ts";
import type { BotStatus, ListedRun, LoadedRun, ShownSession } from "./status-data.ts";
import type { ShownRun } from "./status-runs.ts";

/** Everything that `status` shows. */
export type StatusData = {
  readonly bots: readonly LoadedRun<BotStatus>[];
  /** The runs that are listed in one line each. */
  readonly runs: readonly ListedRun<ShownRun>[];
  readonly sessions: readonly ListedRun<ShownSession>[];
  /** The runners that the definitions name. */
  readonly runners?: readonly SeenRunner[];
  /** Warnings about sessions. */
  readonly sessionWarnings: readonly string[];
};
