import { type Claim, claimText } from "../audit/claims.ts";
import { isObject, type JsonObject } from "../evidence/json.ts";
import type { Event } from "../workflow/events.ts";
import { checkText, endingOf } from "./check-words.ts";
import { paint, plain } from "./print.ts";

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

/** The same as one line for people. */
export function logLine(row: LogRow): string {
  const what = String(row.action_state ?? row.event ?? "").replaceAll("_", " ");
  const place = (row.action ?? row.behavior ?? "").split(".").slice(1).join(".");
  const time = paint("dim", row.timestamp.replace("T", " ").slice(0, 19));
  return `${time}  ${paint(styleOf(what), what.padEnd(12))}  ${plain(place).padEnd(36)}${detailsOf(row)}`.trimEnd();
}

function styleOf(what: string): "green" | "red" | "yellow" | "cyan" | "dim" {
  if (what === "completed") return "green";
  if (what === "started") return "cyan";
  if (what === "refused" || what === "declined") return "red";
  return what.startsWith("state") || what === "began anew" ? "yellow" : "dim";
}

function detailsOf(row: LogRow): string {
  const parts: string[] = [];
  if (typeof row.mark === "string") parts.push(paint("yellow", row.mark.toUpperCase()));
  if (Array.isArray(row.changes)) parts.push(...row.changes.map((change) => paint("yellow", plain(String(change)))));
  if (typeof row.duration === "number") parts.push(`${row.duration} s`);
  if (typeof row.attempt === "number" && row.attempt > 1) parts.push(`attempt ${row.attempt}`);
  if (typeof row.pass === "number" && row.pass > 1) parts.push(`pass ${row.pass}`);
  if (Array.isArray(row.violations) && row.violations.length > 0) parts.push(`${row.violations.length} violation(s)`);
  if (row.event === "handed_in" && "digest" in row) parts.push("a person's word is wanted");
  if (row.same_gaps === true) parts.push(paint("red", "the same was missing as before"));
  if (row.event === "state_edited") parts.push("workflow_state.json was edited outside Waymark");
  if (row.event === "state_found") parts.push("taken over from a workflow_state.json that stood here");
  if (row.event === "checked") parts.push(...checkParts(row));
  if (typeof row.level === "string")
    parts.push(`${row.level}${isObject(row.person) ? ` by ${plain(String(row.person.name))}` : ""}`);
  for (const key of ["code", "reason", "target_file"])
    if (typeof row[key] === "string" && row[key] !== "") parts.push(plain(row[key]));
  if (Array.isArray(row.gaps)) parts.push(...row.gaps.slice(0, mostGaps).map((gap) => plain(String(gap))));
  if (isObject(row.correction))
    parts.push(`into the rule ${plain(String(row.correction.place ?? row.correction.rule))}`);
  const word = row.word;
  if (typeof word === "object" && word !== null && "level" in word) {
    parts.push("text" in word ? `${word.level}: "${plain(String(word.text).slice(0, 80))}"` : String(word.level));
  }
  if (row.action_state === "started" && typeof row.client === "string") parts.push(paint("dim", plain(row.client)));
  if (typeof row.session === "string") parts.push(paint("dim", row.session));
  if (typeof row.run === "string") parts.push(paint("dim", `run ${row.run}`));
  return parts.map((part) => `  ${part}`).join("");
}

/** So much of what a gate lacks fits into a line. */
const mostGaps = 3;

function checkParts({ check, status, summary, exit, seconds, contained, claims = [] }: LogRow): string[] {
  const text = plain(
    checkText({ name: String(check), status: String(status), summary: String(summary), exit, seconds, contained }),
  );
  return [status === "failed" ? paint("red", text) : text, ...claims.map((claim) => plain(claimText(claim)))];
}

function placeOf(bot: string, workflow: string, step: string | undefined): { behavior: string; action?: string } {
  const behavior = `${bot}.${workflow}`;
  return step === undefined ? { behavior } : { behavior, action: `${behavior}.${step}` };
}

function counters(event: Event): { pass?: number; attempt?: number } {
  if (!("attempt" in event) || event.pass === undefined || event.attempt === undefined) return {};
  return { pass: event.pass, attempt: event.attempt };
}
