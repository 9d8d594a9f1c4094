export { contentContract, type OpenedContent } from "./content-contract.ts";
export { eventLogContract, type OpenedLog } from "./event-log-contract.ts";
export { begunExample, completedExample, startedExample } from "./example-events.ts";
export type { FaultHooks } from "./fault-rules.ts";
export { type OpenedPins, pinsContract } from "./pins-contract.ts";
export type { ContractRule } from "./rule.ts";
export { type OpenedViews, viewsContract } from "./views-contract.ts";
