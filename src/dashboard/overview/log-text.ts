import { describeClaim } from "../../audit/claims-and-facts.ts";
import { countText } from "../../kit/count-text.ts";
import { isObject } from "../../kit/json.ts";
import { violationCount } from "../../messages/approval-question.ts";
import { checkText } from "../../messages/check-text.ts";
import { durationText } from "./duration-text.ts";
import type { LogRow } from "./log-row.ts";

/** The tone of a text: good, needs attention, bad, or secondary. */
export type Tone = "good" | "warn" | "bad" | "dim";

/** One detail of an event, as recorded; the renderer cuts it and removes invisible characters. */
export type Detail = { readonly text: string; readonly tone?: Tone };

/** The event in a word or two. */
export function eventText(row: LogRow): string {
  const what = String(row.action_state ?? row.event ?? "");
  return eventWords[what] ?? what.replaceAll("_", " ");
}

/** The event names that read differently in the log. */
const eventWords: Readonly<Record<string, string>> = {
  began_anew: "started over",
  declined: "rejected",
  handed_in: "submitted",
  met: "found open",
  went_there: "switched to",
};

/** All details of an event. */
export function rowDetails(row: LogRow): readonly Detail[] {
  const details: Detail[] = [];
  const say = (text: string, tone?: Tone): void => void details.push(tone === undefined ? { text } : { text, tone });
  if (typeof row.mark === "string") say(row.mark.toUpperCase(), "warn");
  if (Array.isArray(row.changes)) for (const change of row.changes) say(String(change), "warn");
  if (typeof row.duration === "number") say(durationText(row.duration));
  if (typeof row.attempt === "number" && row.attempt > 1) say(`attempt ${row.attempt}`);
  if (typeof row.pass === "number" && row.pass > 1) say(`pass ${row.pass}`);
  if (Array.isArray(row.violations) && row.violations.length > 0) say(violationCount(row.violations.filter(isObject)));
  if (row.event === "handed_in" && "digest" in row) say("waiting for approval");
  if (row.same_gaps === true) say("same as before", "bad");
  if (row.event === "state_edited") say("workflow_state.json was edited outside Waymark");
  if (row.event === "state_found") say("adopted from an existing workflow_state.json");
  if (row.event === "checked") details.push(...checkDetails(row));
  if (typeof row.level === "string") say(`${row.level}${isObject(row.person) ? ` by ${String(row.person.name)}` : ""}`);
  if (row.event === "forgotten" && typeof row.name === "string") say(`by ${row.name}`);
  if (Array.isArray(row.fields)) say(row.fields.map(String).join(", "));
  if (typeof row.items === "number") say(countText(row.items, "item"));
  for (const key of ["code", "item", "outcome", "reason", "target_file"])
    if (typeof row[key] === "string" && row[key] !== "") say(row[key]);
  if (Array.isArray(row.gaps)) for (const gap of row.gaps.slice(0, mostGaps)) say(String(gap));
  if (isObject(row.correction)) say(`added to the rule ${String(row.correction.place ?? row.correction.rule)}`);
  const { word } = row;
  if (isObject(word)) say("text" in word ? `${word.level}: "${String(word.text).slice(0, 80)}"` : String(word.level));
  if (row.action_state === "started" && typeof row.client === "string") say(row.client, "dim");
  if (typeof row.session === "string") say(row.session, "dim");
  if (typeof row.run === "string") say(`run ${row.run}`, "dim");
  return details;
}

/** The number of gaps that fit into a line. */
const mostGaps = 3;

function checkDetails({ check, status, summary, exit, seconds, contained, claims = [] }: LogRow): readonly Detail[] {
  const ended = { name: String(check), status: String(status), summary: String(summary), exit, seconds, contained };
  const text = checkText(ended);
  return [
    status === "failed" ? { text, tone: "bad" } : { text },
    ...claims.map((claim) => ({ text: describeClaim(claim) })),
  ];
}
