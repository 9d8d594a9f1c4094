import type { Person } from "../gates/approval-rule.ts";
import type { Decision, SignedStatement } from "../gates/approval-statement.ts";
import type { Calls } from "../gates/calls.ts";
import type { JsonObject } from "../kit/json.ts";
import type { StreamId } from "../workflow/stream-id.ts";
import type { CheckRules, Checks, ObserveEvidence, WorkTree } from "./ports/checks.ts";
import type { Clock } from "./ports/clock.ts";
import type { Content } from "./ports/content.ts";
import type { Definitions } from "./ports/definitions.ts";
import type { EventLog } from "./ports/event-log.ts";
import type { ProjectIdentity } from "./ports/project-identity.ts";
import type { Views } from "./ports/views.ts";

/** Everything that the engine of one stream is given. */
export type EngineDeps = {
  readonly id: StreamId;
  readonly definitions: Definitions;
  readonly log: EventLog;
  readonly views: Views;
  readonly content: Content;
  readonly checkRules: CheckRules;
  readonly observe: ObserveEvidence;
  /** Absent if nothing can be run; a gate with checks then stays closed. */
  readonly checks?: Checks;
  /** Absent if no keys are known; nothing is proven then. */
  readonly people?: People;
  /** Absent if the server does not see the files. */
  readonly workTree?: WorkTree;
  /** Absent where nothing names a project. */
  readonly identity?: () => Promise<ProjectIdentity>;
  readonly clock: Clock;
  /** Looks at the sessions of items; absent where no step has any. */
  readonly lookAtItem?: (session: string, calls: Calls) => Promise<ItemLook | undefined>;
  /** The number of forked records that each caller has been notified of. */
  readonly notifiedForks?: ReadonlyMap<string, number>;
  /** The completed steps without a definition that each caller has been notified of. */
  readonly notifiedGone?: ReadonlyMap<string, string>;
};

/** The state of an item's session: how it ended, or if it is blocked. */
export type ItemLook = {
  readonly ended?: { readonly outcome: string; readonly head: string; readonly collected: JsonObject };
  readonly isBlocked: boolean;
};

/** Finds the trusted person whose key made a statement, or says why there is none. */
export type People = { findSigner(signed: SignedStatement<Decision>): Promise<Person | { readonly problem: string }> };
