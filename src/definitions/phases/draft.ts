import type { Complaint } from "./complaint.ts";
import type { Phase } from "./phased-workflow.ts";

/** A phased workflow as it was read, with everything that is wrong with it. */
export type Draft = {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly phases: readonly Phase[];
  readonly complaints: readonly Complaint[];
};
