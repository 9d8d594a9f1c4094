import type { SeenRunner } from "../../app/list-runners.ts";
import type { BotStatus, ShownSession } from "./status-data.ts";
import type { ShownRun } from "./status-runs.ts";

/** Everything that `status` shows. */
export type StatusData = {
  readonly bots: readonly BotStatus[];
  /** The runs that are listed in one line each. */
  readonly runs: readonly ShownRun[];
  readonly sessions: readonly ShownSession[];
  /** The runners that the definitions name. */
  readonly runners?: readonly SeenRunner[];
  /** Warnings about sessions. */
  readonly sessionWarnings: readonly string[];
};
