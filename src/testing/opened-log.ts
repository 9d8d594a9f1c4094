import type { EventLog } from "../engine/ports/event-log.ts";
import type { Disposable } from "./contract-rule.ts";
import type { FaultHooks } from "./fault-hooks.ts";

/** A fresh store: `log` opens another window on it each time. Rules for missing hooks are skipped. */
export type OpenedLog = FaultHooks & Disposable & { log(): EventLog };
