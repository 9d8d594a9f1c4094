import { needsObservation } from "../gates/gate.ts";
import type { JsonObject } from "../kit/json.ts";
import type { AuditedStream } from "./audit-streams.ts";
import type { ComparedWalk } from "./compare-walk.ts";
import type { ExpectedWalk } from "./expected-walk.ts";
import type { Completed, ObserveCompleted } from "./judged-as-defined.ts";

/** Loads the expected walk of a requirement from one version of the definitions, or from the current ones. */
export type ExpectedWalks = {
  ofBehavior(bot: string, behavior: string): ExpectedWalk;
  ofWorkflow(type: string, options: JsonObject): Promise<ExpectedWalk>;
};

/** Observes again, in the files of a walk, what a gate asks about a completion; leaves out what cannot be observed now. */
export type ObserveAgain = (
  stream: AuditedStream,
  ...asked: Parameters<ObserveCompleted>
) => ReturnType<ObserveCompleted>;

/** Observes again for one walk, each completion once. */
export function observeWalk(stream: AuditedStream, observe: ObserveAgain): ObserveCompleted {
  return cacheObservations((gate, completed) =>
    needsObservation(gate) ? observe(stream, gate, completed) : Promise.resolve(new Map()),
  );
}

/** Caches observations, since a completion is compared with every version of the definitions and each asks the same. */
function cacheObservations(observe: ObserveCompleted): ObserveCompleted {
  const known = new Map<Completed, ReturnType<ObserveCompleted>>();
  return (gate, completed) => {
    const found = known.get(completed) ?? observe(gate, completed);
    known.set(completed, found);
    return found;
  };
}

/** A required walk compared with the definitions. */
export type JudgedWalk = ComparedWalk & {
  readonly stream: AuditedStream;
  readonly workflow: string;
  readonly pass: number;
  /** The walks of its items, which prove for it. */
  readonly items?: readonly JudgedWalk[];
};
