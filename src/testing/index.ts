export { contentContract, type OpenedContent } from "./content-contract.ts";
export type { ContractRule } from "./contract-rule.ts";
export { eventLogContract } from "./event-log-contract.ts";
export { begunExample, completedExample, startedExample } from "./example-events.ts";
export type { FaultHooks } from "./fault-hooks.ts";
export type { OpenedLog } from "./opened-log.ts";
export { type OpenedPins, pinsContract } from "./pins-contract.ts";
export { type OpenedViews, viewsContract } from "./views-contract.ts";
