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
  if (event.type === "identified" && event.later !== true) return []; // a part of every beginning
  const { at: timestamp, client, name } = event;
  return [{ timestamp, ...eventFields(bot, event), ...defined({ client, name }) }];
}

function eventFields(bot: string, event: Exclude<Event, { type: "log_adopted" }>): Omit<LogRow, "timestamp"> {
  const { type } = event;
  const place = "workflow" in event ? rowPosition(bot, event.workflow, "step" in event ? event.step : undefined) : {};
  const inStep = { event: type, ...place };
  const inRun = { event: type, behavior: bot };
  const numbers = attemptNumbers(event);
  switch (event.type) {
    case "started":
    case "aside_started": {
      const { inputs = {} } = event;
      return { ...place, action_state: "started", inputs, outputs: {}, duration: null, ...numbers };
    }
    case "completed": {
      const files = (event.content ?? []).map(({ path }) => path);
      const outputs = { ...event.outputs, ...(files.length === 0 ? {} : { files }) };
      const { inputs = {}, duration, word, violations = [] } = event;
      return { ...place, action_state: "completed", inputs, outputs, duration, word, violations, ...numbers };
    }
    case "aside_completed": {
      const { outputs = {}, duration, correction, word } = event;
      const more = defined({ correction: correction && { ...correction }, word });
      return { ...place, action_state: "completed", inputs: {}, outputs, duration, ...more };
    }
    case "adopted": {
      const found = event.origin === "found" ? "state_found" : "state_edited";
      return { event: found, ...place, completed: event.completed.length };
    }
    case "items_taken":
      return { ...inStep, items: event.items.length };
    case "item_opened":
      return { ...inStep, item: event.item };
    case "item_settled":
      return { ...inStep, item: event.item, outcome: event.outcome };
    case "passed_over":
      return { ...inStep, reason: event.condition };
    case "finished":
      return { ...inStep, outcome: event.outcome, reason: event.reason ?? "", ...answerDetails(event) };
    case "skipped":
    case "began_anew":
      return { ...inStep, reason: event.reason };
    case "blocked":
      return { ...inStep, reason: event.reason, ...numbers };
    case "answered":
      return { ...inStep, reason: event.text, ...answerDetails(event) };
    case "waived":
      return { ...inStep, fields: event.fields, reason: event.reason, ...answerDetails(event) };
    case "declined":
      return { ...inStep, reason: event.reason ?? "", ...answerDetails(event) };
    case "approved":
      return { ...inStep, reason: event.comment ?? "", ...answerDetails(event) };
    case "refused": {
      const { code, missing = [], evidence } = event;
      const listed = { gaps: gapTexts(event), missing: missing.map((gap) => ({ ...gap })) };
      const lists = Object.fromEntries(Object.entries(listed).filter(([, list]) => list.length > 0));
      return { ...inStep, code, ...lists, ...defined({ evidence }), ...numbers };
    }
    case "handed_in":
      // with a digest, it is waiting for approval
      return { ...inStep, ...defined({ digest: event.digest }), ...numbers };
    case "check_wanted":
      return { ...inStep, check: event.check, ...defined({ commit: event.commit }), ...numbers };
    case "checked": {
      const { name: check, status, summary, facts = {} } = event.result;
      return { ...inStep, check, status, summary, ...checkEnding(event.result), facts: { ...facts }, ...numbers };
    }
    case "identified":
      return { ...inRun, project: event.project };
    case "session_began":
      return { ...inStep, target_file: event.target };
    case "updated": {
      const again = event.supersedes.join(", ");
      return { ...inRun, reason: again === "" ? "" : `to be redone: ${again}` };
    }
    case "archived":
      return { ...inRun, reason: event.reason ?? "" };
    case "forgotten":
      return { ...inRun, reason: event.reason, hashes: event.hashes };
    case "accepted":
      return { ...inRun, reason: event.what.map((one) => one.replace(/\.$/, "")).join("; "), hashes: event.hashes };
    case "focused":
      return { event: "went_there", ...place };
    case "continued":
    case "met":
    case "unanswered":
      return inStep;
    case "went_back": {
      const { from, step: to, route } = event;
      return from === undefined ? inStep : { ...inStep, ...defined({ from, to, route }), reason: `from ${from}` };
    }
  }
}

/** The level and person of an answer given elsewhere, and the digest it covers. */
function answerDetails(event: AnswerEvent): JsonObject {
  const { level, person } = event;
  const digest = "digest" in event ? event.digest : undefined;
  if (level === undefined) return {};
  return { level, ...defined({ person: person && { ...person }, digest }) };
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
