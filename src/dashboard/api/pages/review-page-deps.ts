import type { CallerContext } from "../../../engine/caller.ts";
import type { Engine } from "../../../engine/engine.ts";
import type { Reply } from "../../../engine/reply.ts";
import type { SignedStatement } from "../../../gates/approval-statement.ts";
import type { Approver } from "../../../people/approver.ts";
import type { StepRef } from "../../../workflow/events.ts";

/** An approver named by the definitions, and if it is trusted on this machine. */
export type ApproverCandidate = { readonly approver: Approver; readonly trusted: boolean };

/** The dependencies of reviewing one submission on a page. */
export type ReviewPageDeps = {
  readonly engine: Pick<Engine, "id" | "submissions" | "overview" | "answer" | "openSteps" | "respond">;
  /** The attempt under review. */
  readonly ref: StepRef;
  /** The name of the project folder. */
  readonly project: string;
  /** The person at the page, as recorded in the history. */
  readonly caller: CallerContext;
  /** Their token alone is enough to answer, and to waive where no key is needed. */
  readonly unsigned?: boolean;
  candidates(): Promise<readonly ApproverCandidate[]>;
  readonly clock: () => Date;
  /** Called with every recorded answer. */
  answered(reply: Reply, signed: SignedStatement, name: string): void;
};
