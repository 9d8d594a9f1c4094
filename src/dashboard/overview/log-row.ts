import type { Claim } from "../../audit/claims-and-facts.ts";
import { defined } from "../../kit/defined.ts";
import type { JsonObject } from "../../kit/json.ts";
import { checkEnding } from "../../messages/check-text.ts";
import type { Event } from "../../workflow/events.ts";
import type { AnswerEvent } from "../../workflow/replay-approval.ts";

/** One line of the log: an execution as in activity_log.json, or another event named by its type. */
export type LogRow = {
  readonly timestamp: string;
  readonly behavior?: string;
  readonly action?: string;
  /** The claims for fields that checks give, and what the checks found. */
  readonly claims?: readonly Claim[];
} & JsonObject;

/** Renders an event in the format of the activity log, with its program if known. */
export function logRows(bot: string, event: Event): LogRow[] {
  if (event.type === "log_adopted") return event.log.map((entry) => ({ timestamp: "", ...entry }));
  const { client, name } = event;
  const through = { ...defined({ client, name }) };
  return eventRows(bot, event).map((row) => ({ ...row, ...through }));
}

function eventRows(bot: string, event: Exclude<Event, { type: "log_adopted" }>): LogRow[] {
  const { type, at: timestamp } = event;
  const place = "workflow" in event ? rowPosition(bot, event.workflow, "step" in event ? event.step : undefined) : {};
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
          ...attemptNumbers(event),
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
          ...attemptNumbers(event),
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
          ...defined({ word: event.word }),
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
    case "blocked":
      return [{ timestamp, event: type, ...place, reason: event.reason, ...attemptNumbers(event) }];
    case "answered":
      return [{ timestamp, event: type, ...place, reason: event.text, ...answerDetails(event) }];
    case "waived": {
      const { fields, reason } = event;
      return [{ timestamp, event: type, ...place, fields, reason, ...answerDetails(event) }];
    }
    case "declined":
      return [{ timestamp, event: type, ...place, reason: event.reason ?? "", ...answerDetails(event) }];
    case "approved":
      return [{ timestamp, event: type, ...place, reason: event.comment ?? "", ...answerDetails(event) }];
    case "refused": {
      const gaps = gapTexts(event);
      const { code, missing = [], evidence } = event;
      return [
        {
          timestamp,
          event: type,
          ...place,
          code,
          ...(gaps.length > 0 ? { gaps } : {}),
          ...(missing.length > 0 ? { missing: missing.map((gap) => ({ ...gap })) } : {}),
          ...defined({ evidence }),
          ...attemptNumbers(event),
        },
      ];
    }
    case "handed_in": {
      // with a digest, it is waiting for approval
      const { digest } = event;
      return [{ timestamp, event: type, ...place, ...defined({ digest }), ...attemptNumbers(event) }];
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
          ...checkEnding(event.result),
          facts: { ...facts },
          ...attemptNumbers(event),
        },
      ];
    }
    case "session_began":
      return [{ timestamp, event: type, ...place, target_file: event.target }];
    case "updated": {
      const again = event.supersedes.join(", ");
      return [{ timestamp, event: type, behavior: bot, reason: again === "" ? "" : `to be redone: ${again}` }];
    }
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

/** The level and person of an answer given elsewhere, and the digest it covers. */
function answerDetails(event: AnswerEvent): JsonObject {
  const { level, person } = event;
  const digest = "digest" in event ? event.digest : undefined;
  if (level === undefined) return {};
  return {
    level,
    ...(person === undefined ? {} : { person: { ...person } }),
    ...defined({ digest }),
  };
}

/** The missing evidence in words, as old records have it. */
export function gapTexts({ gaps, missing = [] }: Event & { type: "refused" }): readonly string[] {
  return gaps ?? missing.map(({ text }) => text);
}

function rowPosition(bot: string, workflow: string, step: string | undefined): { behavior: string; action?: string } {
  const behavior = `${bot}.${workflow}`;
  return step === undefined ? { behavior } : { behavior, action: `${behavior}.${step}` };
}

function attemptNumbers(event: Event): { pass?: number; attempt?: number } {
  if (!("attempt" in event) || event.pass === undefined || event.attempt === undefined) return {};
  return { pass: event.pass, attempt: event.attempt };
}
