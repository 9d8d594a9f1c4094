import type { Calls } from "./calls.ts";
import type { Condition } from "./condition.ts";
import type { Source } from "./source.ts";

/** A way on from a passed gate, taken if its condition holds: an earlier step, an end, or the next step. */
export type Route = {
  /** Always, if absent. */
  readonly when?: Condition;
  readonly to: RouteTarget;
  /** How often it may be taken in one session or pass; required to go back. */
  readonly atMost?: number;
  /** The field that names the items to be done again; the others of the step it leads to carry over. */
  readonly only?: string;
  readonly source?: Source;
};

export type RouteTarget = { readonly back: string } | { readonly end: string } | { readonly onward: true };

/** The conditions of a step: if it is passed over, if it needs approval, and what follows it. */
export type Routing = {
  /** The step is passed over if this is false. */
  readonly when?: Condition;
  /** A person is asked unless this is false. */
  readonly approvalWhen?: Condition;
  /** The first route that holds decides; none: on to the next step. */
  readonly routes?: readonly Route[];
  /** The role that should do the step: shown and recorded, not verified. */
  readonly role?: string;
  /** The workflow that does its work, in one session or one for each item. */
  readonly calls?: Calls;
  readonly source?: Source;
};
