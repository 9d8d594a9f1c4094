import { agoText } from "./duration-text.ts";
import type { RowStep, RunRow } from "./run-row-data.ts";
import { refusedText, timesText } from "./step-text.ts";

/** The status of a run in a sentence or two. */
export function statusSentence(run: RunRow, now: Date): string {
  const text = statusText(run, now);
  const done = `${run.completed} of ${run.steps} steps done.`;
  // What blocks is a sentence of its own.
  if (run.stands === "waits" && run.now?.blocked !== undefined)
    return `${text}${/[?!]$/.test(text) ? "" : "."} ${done}`;
  return `${text}; ${done}`;
}

function statusText({ stands, now: at, refusals, changed, answered, outcome }: RunRow, now: Date): string {
  const ago = (from: string | null | undefined): string => (from ? agoText(from, now) : "some time");
  switch (stands) {
    case "waits":
      if (at?.blocked !== undefined)
        return `${at.label} has been blocked for ${ago(at.waitingSince)}: ${at.blocked.replace(/[.\s]+$/, "")}`;
      return `${nameOf(at)} has been waiting for approval from ${at?.waitingFor ?? "a person"} for ${ago(at?.waitingSince)}`;
    case "stuck":
      return `${nameOf(at)} is stuck: ${at && refusedText(at)}`;
    case "finished": {
      const refused = refusals === 0 ? "none refused" : `refused ${timesText(refusals)} along the way`;
      return `${outcome === undefined ? "Finished" : `Ended as ${outcome}`}, ${refused}`;
    }
    case "archived":
      return "Archived by a person";
    case "quiet":
      if (answered) return `Answered ${ago(changed)} ago, waiting for the assistant`;
      return `Nothing has happened for ${ago(changed)}: ${at?.since === undefined ? nextText(at) : `${at.label} is open`}`;
    case "working":
      return answered ? `Answered, waiting for the assistant: ${nameOf(at)}` : nextText(at);
  }
}

function nameOf(at: RowStep | undefined): string {
  return at?.label ?? "a step";
}

function nextText(at: RowStep | undefined): string {
  if (at === undefined) return "nothing is open";
  if (at.since === undefined) return `${at.label} comes next`;
  if (at.runnerChecks !== undefined) return `${at.label} is waiting for a runner (${at.runnerChecks.join(", ")})`;
  if (at.checkingSince !== undefined) return `${at.label} is being checked`;
  const refused = refusedText(at);
  const client = at.client === undefined ? "" : ` with ${at.client}`;
  return `${at.label} is in progress${client}${refused === undefined ? "" : `, ${refused}`}`;
}
