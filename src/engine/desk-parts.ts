import type { Person } from "../evidence/approval.ts";
import type { Signed } from "../people/statement.ts";
import type {
  CheckRules,
  Checks,
  Clock,
  Content,
  Definitions,
  DeskId,
  EventLog,
  ObserveEvidence,
  Views,
  WorkTree,
} from "./ports.ts";

/** Everything that the engine of one desk needs from outside. */
export type DeskParts = {
  readonly id: DeskId;
  readonly definitions: Definitions;
  readonly log: EventLog;
  readonly views: Views;
  readonly content: Content;
  readonly checkRules: CheckRules;
  readonly observe: ObserveEvidence;
  /** Absent where nothing can be run: a gate with checks stays closed then. */
  readonly checks?: Checks;
  /** Absent where nobody is known: nothing is proven then. */
  readonly people?: People;
  /** Absent where nobody sees the files. */
  readonly workTree?: WorkTree;
  readonly clock: Clock;
  /** How many records that were set aside each caller has been told of. */
  readonly toldAside?: ReadonlyMap<string, number>;
};

/** Tells whose key made a statement, of the people who are trusted here; or why nobody's did. */
export type People = { proves(signed: Signed): Promise<Person | { readonly problem: string }> };
