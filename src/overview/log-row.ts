import type { Claim } from "../audit/claims.ts";
import type { JsonObject } from "../evidence/json.ts";
import { endingOf } from "../words/check-words.ts";
import type { Event } from "../workflow/events.ts";

/** One line of the log: an execution as activity_log.json has it, or another event, named by its type. */
export type LogRow = {
  readonly timestamp: string;
  readonly behavior?: string;
  readonly action?: string;
  /** What was claimed of the fields that checks give, and what they found. */
  readonly claims?: readonly Claim[];
} & JsonObject;

/** Puts an event into the words of the activity log, with the program that it came through where that is known. */
export function logRows(bot: string, event: Event): LogRow[] {
  if (event.type === "log_adopted") return event.log.map((entry) => ({ timestamp: "", ...entry }));
  const { client, name } = event;
  const through = { ...(client === undefined ? {} : { client }), ...(name === undefined ? {} : { name }) };
  return rowsOf(bot, event).map((row) => ({ ...row, ...through }));
}

function rowsOf(bot: string, event: Exclude<Event, { type: "log_adopted" }>): LogRow[] {
  const { type, at: timestamp } = event;
  const place = "workflow" in event ? placeOf(bot, event.workflow, "step" in event ? event.step : undefined) : {};
  switch (event.type) {
    case "started":
    case "aside_started":
      return [
        {
          timestamp,
          ...place,
          action_state: "started",
          inputs: event.inputs ?? {},
          outputs: {},
          duration: null,
          ...counters(event),
        },
      ];
    case "completed": {
      const files = (event.content ?? []).map(({ path }) => path);
      const outputs = { ...event.outputs, ...(files.length === 0 ? {} : { files }) };
      const { inputs = {}, duration, word, violations = [] } = event;
      return [
        {
          timestamp,
          ...place,
          action_state: "completed",
          inputs,
          outputs,
          duration,
          word,
          violations,
          ...counters(event),
        },
      ];
    }
    case "aside_completed":
      return [
        {
          timestamp,
          ...place,
          action_state: "completed",
          inputs: {},
          outputs: event.outputs ?? {},
          duration: event.duration,
          ...(event.correction === undefined ? {} : { correction: { ...event.correction } }),
          ...(event.word === undefined ? {} : { word: event.word }),
        },
      ];
    case "adopted":
      return [
        {
          timestamp,
          event: event.origin === "found" ? "state_found" : "state_edited",
          ...place,
          completed: event.completed.length,
        },
      ];
    case "skipped":
    case "began_anew":
      return [{ timestamp, event: type, ...place, reason: event.reason }];
    case "declined":
      return [{ timestamp, event: type, ...place, reason: event.reason ?? "", ...answeredBy(event) }];
    case "approved":
      return [{ timestamp, event: type, ...place, reason: event.comment ?? "", ...answeredBy(event) }];
    case "refused": {
      const gaps = gapsOf(event);
      const { code, missing = [], evidence } = event;
      return [
        {
          timestamp,
          event: type,
          ...place,
          code,
          ...(gaps.length > 0 ? { gaps } : {}),
          ...(missing.length > 0 ? { missing: missing.map((gap) => ({ ...gap })) } : {}),
          ...(evidence === undefined ? {} : { evidence }),
          ...counters(event),
        },
      ];
    }
    case "handed_in": {
      // With a digest it is what a person's word is wanted for.
      const { digest } = event;
      return [{ timestamp, event: type, ...place, ...(digest === undefined ? {} : { digest }), ...counters(event) }];
    }
    case "checked": {
      const { name: check, status, summary, facts = {} } = event.result;
      return [
        {
          timestamp,
          event: type,
          ...place,
          check,
          status,
          summary,
          ...endingOf(event.result),
          facts: { ...facts },
          ...counters(event),
        },
      ];
    }
    case "session_began":
      return [{ timestamp, event: type, ...place, target_file: event.target }];
    case "archived":
      return [{ timestamp, event: type, behavior: bot, reason: event.reason ?? "" }];
    case "accepted":
      return [
        {
          timestamp,
          event: type,
          behavior: bot,
          reason: event.what.map((one) => one.replace(/\.$/, "")).join("; "),
          hashes: event.hashes,
        },
      ];
    case "focused":
      return [{ timestamp, event: "went_there", ...place }];
    case "continued":
    case "met":
    case "unanswered":
    case "went_back":
      return [{ timestamp, event: type, ...place }];
  }
}

/** How a person answered elsewhere, and who, where that is proved; for what, of a yes. */
function answeredBy({ level, person, digest }: Event & { type: "approved" | "declined" }): JsonObject {
  if (level === undefined) return {};
  return {
    level,
    ...(person === undefined ? {} : { person: { ...person } }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** What a gate found missing, in words; records of old have it so. */
export function gapsOf({ gaps, missing = [] }: Event & { type: "refused" }): readonly string[] {
  return gaps ?? missing.map(({ text }) => text);
}

function placeOf(bot: string, workflow: string, step: string | undefined): { behavior: string; action?: string } {
  const behavior = `${bot}.${workflow}`;
  return step === undefined ? { behavior } : { behavior, action: `${behavior}.${step}` };
}

function counters(event: Event): { pass?: number; attempt?: number } {
  if (!("attempt" in event) || event.pass === undefined || event.attempt === undefined) return {};
  return { pass: event.pass, attempt: event.attempt };
}
