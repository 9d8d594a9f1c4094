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
  readonly clock: Clock;
  /** How many records that were set aside each caller has been told of. */
  readonly toldAside?: ReadonlyMap<string, number>;
};
