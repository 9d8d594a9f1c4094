import { durationText } from "./duration.ts";
import type { RunSummary } from "./summary.ts";

/** What is told of a run besides its summary: its step as people read it, and for whom it waits. */
export type Told = { readonly label?: string | undefined; readonly waitingFor?: string | undefined };

/** How a run stands, in a sentence or two. */
export function sentenceOf(run: RunSummary, { label = "a step", waitingFor }: Told, now: Date): string {
  const { stands, at, completed, steps, refusals, changed } = run;
  const done = `${completed} of ${steps} steps done`;
  const ago = (from: string | null | undefined): string =>
    from === null || from === undefined ? "some time" : durationText((now.getTime() - Date.parse(from)) / 1000);
  switch (stands) {
    case "waits":
      return `${label} waits for ${waitingFor ?? "a person"}, since ${ago(at?.waitingSince)}; ${done}.`;
    case "stuck":
      return `${label} is stuck: its gate has said no ${at?.refused ?? 2} times${wanting(at)}; ${done}.`;
    case "finished":
      return `Finished: ${done}${refusals === 0 ? ", none of them refused" : `, refused ${times(refusals)} on the way`}.`;
    case "archived":
      return `Put away by a person; ${done}.`;
    case "quiet":
      return `Nothing has happened for ${ago(changed)}: ${at?.state === "started" ? `${label} is open` : nextIn(run, label)}; ${done}.`;
    case "working":
      return `${nextIn(run, label)}; ${done}.`;
  }
}

function nextIn({ at }: RunSummary, label: string): string {
  if (at === null) return "nothing is open";
  if (at.state !== "started") return `${label} comes next`;
  if (at.checkingSince !== undefined) return `${label} is being checked`;
  const refused = at.refused === undefined ? "" : `, refused ${times(at.refused)} so far`;
  return `${label} is being worked at${at.client === undefined ? "" : ` with ${at.client}`}${refused}`;
}

function wanting(at: RunSummary["at"]): string {
  const missing = at?.missing ?? [];
  if (missing.length === 0) return "";
  const named = missing.slice(0, 3).join(", ");
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : "";
  return `, at last for ${named}${more}${at?.sameGaps ? ", just as the time before" : ""}`;
}

function times(number: number): string {
  return number === 1 ? "once" : number === 2 ? "twice" : `${number} times`;
}
