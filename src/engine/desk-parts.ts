import { createHash } from "node:crypto";
import { canonical } from "../evidence/json.ts";
import type {
  CheckRules,
  Clock,
  Content,
  Definitions,
  DeskId,
  Digest,
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
  readonly clock: Clock;
};

/** Names a value by the SHA-256 of its canonical JSON. */
export const digestOf: Digest = (value) => createHash("sha256").update(canonical(value)).digest("hex");
