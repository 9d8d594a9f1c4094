export { type ContentRule, contentKeeperContract, type OpenedArea } from "./content-contract.ts";
export { completedExample, startedExample } from "./example-events.ts";
export type { FaultHooks } from "./fault-rules.ts";
export { type HistoryRule, historyContract, type OpenedDesk } from "./history-contract.ts";
export { type OpenedSessions, type SessionRule, sessionStoreContract } from "./session-contract.ts";
