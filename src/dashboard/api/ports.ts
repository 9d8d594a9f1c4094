import type { KnownApprovers } from "../../audit/audit-approvals.ts";
import type { KnownRunners } from "../../audit/audit-results.ts";
import type { AuditedArea } from "../../audit/audit-streams.ts";
import type { Workplace } from "../../engine/workplace.ts";
import type { Approver } from "../../people/approver.ts";
import type { BoardRunner } from "./board-data.ts";
import type { ApproverCandidate } from "./pages/review-page-deps.ts";
import type { ProcessData } from "./process-data.ts";

/** One project as the board reads it: workplace, histories, people and definitions. */
export type BoardProject = Pick<Workplace, "beginCall" | "bots" | "engine" | "sessions" | "standards"> & {
  /** Lists the areas with their histories. */
  logs(): Promise<readonly AuditedArea[]>;
  /** Lists the people whose passkeys may answer here. */
  candidates(): Promise<readonly ApproverCandidate[]>;
  /** Loads the approvers to verify approvals against. */
  approvers(): Promise<KnownApprovers>;
  /** Loads the runners to verify results against. */
  runners(): Promise<KnownRunners>;
  /** Lists the runners with their levels, and when the server last saw each. */
  listRunners?(): Promise<readonly BoardRunner[]>;
  /** Adds a key to the approvers; returns the reason if that fails. */
  enrol(approver: Approver): Promise<string | undefined>;
  /** Lists the findings of `waymark check`. */
  findings(): Promise<NonNullable<ProcessData["findings"]>>;
};
