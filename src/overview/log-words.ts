import { claimText } from "../audit/claims.ts";
import { isObject } from "../evidence/json.ts";
import { checkText } from "../words/check-words.ts";
import type { LogRow } from "./log-row.ts";

/** How a text is meant: something went well, is to be looked at, went wrong, or stands aside. */
export type Tone = "good" | "warn" | "bad" | "dim";

/** One thing that is said of an event, as it stands on record: whoever shows it cuts it and takes out what is not seen. */
export type Detail = { readonly text: string; readonly tone?: Tone };

/** What happened, in a word or two. */
export function happened(row: LogRow): string {
  const what = String(row.action_state ?? row.event ?? "");
  return what === "met" ? "found open" : what.replaceAll("_", " ");
}

/** Everything that is said of an event besides. */
export function detailsOf(row: LogRow): readonly Detail[] {
  const details: Detail[] = [];
  const say = (text: string, tone?: Tone): void => void details.push(tone === undefined ? { text } : { text, tone });
  if (typeof row.mark === "string") say(row.mark.toUpperCase(), "warn");
  if (Array.isArray(row.changes)) for (const change of row.changes) say(String(change), "warn");
  if (typeof row.duration === "number") say(`${row.duration} s`);
  if (typeof row.attempt === "number" && row.attempt > 1) say(`attempt ${row.attempt}`);
  if (typeof row.pass === "number" && row.pass > 1) say(`pass ${row.pass}`);
  if (Array.isArray(row.violations) && row.violations.length > 0) say(`${row.violations.length} violation(s)`);
  if (row.event === "handed_in" && "digest" in row) say("a person's word is wanted");
  if (row.same_gaps === true) say("the same was missing as before", "bad");
  if (row.event === "state_edited") say("workflow_state.json was edited outside Waymark");
  if (row.event === "state_found") say("taken over from a workflow_state.json that stood here");
  if (row.event === "checked") details.push(...checkDetails(row));
  if (typeof row.level === "string") say(`${row.level}${isObject(row.person) ? ` by ${String(row.person.name)}` : ""}`);
  for (const key of ["code", "reason", "target_file"])
    if (typeof row[key] === "string" && row[key] !== "") say(row[key]);
  if (Array.isArray(row.gaps)) for (const gap of row.gaps.slice(0, mostGaps)) say(String(gap));
  if (isObject(row.correction)) say(`into the rule ${String(row.correction.place ?? row.correction.rule)}`);
  const { word } = row;
  if (isObject(word)) say("text" in word ? `${word.level}: "${String(word.text).slice(0, 80)}"` : String(word.level));
  if (row.action_state === "started" && typeof row.client === "string") say(row.client, "dim");
  if (typeof row.session === "string") say(row.session, "dim");
  if (typeof row.run === "string") say(`run ${row.run}`, "dim");
  return details;
}

/** So much of what a gate lacks fits into a line. */
const mostGaps = 3;

function checkDetails({ check, status, summary, exit, seconds, contained, claims = [] }: LogRow): readonly Detail[] {
  const ended = { name: String(check), status: String(status), summary: String(summary), exit, seconds, contained };
  const text = checkText(ended);
  return [
    status === "failed" ? { text, tone: "bad" } : { text },
    ...claims.map((claim) => ({ text: claimText(claim) })),
  ];
}
