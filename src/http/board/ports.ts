import type { KnownApprovers } from "../../audit/approvals.ts";
import type { AuditedArea } from "../../audit/audit.ts";
import type { Approver } from "../../people/approver.ts";
import type { Workplace } from "../../workplace.ts";
import type { Candidate } from "../pages/judging.ts";
import type { ProcessData } from "./board-data.ts";

/** One project as the board reads it: what the doors serve, the histories behind it, and what is known of its people and definitions. */
export type BoardProject = Pick<Workplace, "begin" | "bots" | "engine" | "sessions" | "standards"> & {
  /** Every history, by the area that it stands in. */
  logs(): Promise<readonly AuditedArea[]>;
  /** Whose passkeys may answer here. */
  candidates(): Promise<readonly Candidate[]>;
  /** Whose approvals on record can be proved. */
  approvers(): Promise<KnownApprovers>;
  /** Names a key among the approvers of the definitions; says what keeps it from that. */
  enrol(approver: Approver): Promise<string | undefined>;
  /** What `waymark check` finds in the definitions. */
  findings(): Promise<NonNullable<ProcessData["findings"]>>;
};
