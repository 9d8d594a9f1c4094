import { durationText } from "./duration-text.ts";
import type { RunSummary } from "./run-summary.ts";

/** The step label and the people it is waiting for, beside a run's summary. */
export type SentenceDetails = { readonly label?: string | undefined; readonly waitingFor?: string | undefined };

/** The status of a run in a sentence or two. */
export function statusSentence(run: RunSummary, { label = "a step", waitingFor }: SentenceDetails, now: Date): string {
  const { stands, at, completed, steps, refusals, changed, answered, outcome } = run;
  const done = `${completed} of ${steps} steps done`;
  const ago = (from: string | null | undefined): string =>
    from === null || from === undefined ? "some time" : durationText((now.getTime() - Date.parse(from)) / 1000);
  switch (stands) {
    case "waits":
      if (at?.blocked !== undefined)
        return `${label} has been blocked for ${ago(at.waitingSince)}: ${at.blocked.replace(/[.\s]+$/, "")}; ${done}.`;
      return `${label} has been waiting for approval from ${waitingFor ?? "a person"} for ${ago(at?.waitingSince)}; ${done}.`;
    case "stuck":
      return `${label} is stuck: its gate has refused it ${at?.refused ?? 2} times${missingText(at)}; ${done}.`;
    case "finished":
      return `${outcome === undefined ? "Finished" : `Ended as ${outcome}`}: ${done}${refusals === 0 ? ", none refused" : `, refused ${times(refusals)} along the way`}.`;
    case "archived":
      return `Archived by a person; ${done}.`;
    case "quiet":
      if (answered) return `Answered ${ago(changed)} ago, waiting for the assistant; ${done}.`;
      return `Nothing has happened for ${ago(changed)}: ${at?.state === "started" ? `${label} is open` : nextIn(run, label)}; ${done}.`;
    case "working":
      if (answered) return `Answered, waiting for the assistant: ${label}; ${done}.`;
      return `${nextIn(run, label)}; ${done}.`;
  }
}

function nextIn({ at }: RunSummary, label: string): string {
  if (at === null) return "nothing is open";
  if (at.state !== "started") return `${label} comes next`;
  if (at.runnerChecks !== undefined) return `${label} is waiting for a runner (${at.runnerChecks.join(", ")})`;
  if (at.checkingSince !== undefined) return `${label} is being checked`;
  const refused = at.refused === undefined ? "" : `, refused ${times(at.refused)} so far`;
  return `${label} is in progress${at.client === undefined ? "" : ` with ${at.client}`}${refused}`;
}

function missingText(at: RunSummary["at"]): string {
  const missing = at?.missing ?? [];
  if (missing.length === 0) return "";
  const named = missing.slice(0, 3).join(", ");
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : "";
  return `, last for ${named}${more}${at?.sameGaps ? ", same as before" : ""}`;
}

function times(number: number): string {
  return number === 1 ? "once" : number === 2 ? "twice" : `${number} times`;
}
