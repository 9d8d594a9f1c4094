import type { Event } from "../workflow/events.ts";
import { UserFault } from "./fault.ts";
import { paint, print, printJson } from "./print.ts";
import { type BotOptions, engineFor } from "./workplace.ts";

export type LogOptions = BotOptions & { readonly behavior?: string; readonly action?: string; readonly since?: string };

/** Prints the history, filtered: what was started and completed, on whose word, and what came from outside. */
export async function log(options: LogOptions): Promise<void> {
  const { bot, engine } = engineFor(options);
  const since = options.since === undefined ? undefined : parseSince(options.since, new Date());
  const events = (await engine.events()).filter((event) => {
    if (since !== undefined && Date.parse(event.at) < since) return false;
    if (options.behavior !== undefined && (!("workflow" in event) || event.workflow !== bare(options.behavior)))
      return false;
    return options.action === undefined || ("step" in event && event.step === bare(options.action));
  });
  if (options.json) return printJson(events.map((event) => ({ bot, ...event })));
  if (events.length === 0) print("Nothing on record that fits.");
  for (const event of events) print(line(event));
}

function bare(name: string): string {
  return name.split(".").at(-1) ?? name;
}

function line(event: Event): string {
  const at = paint("dim", event.at.replace("T", " ").slice(0, 19));
  const place =
    "workflow" in event
      ? `${event.workflow}${"step" in event && event.step !== undefined ? `.${event.step}` : ""}`
      : "";
  return `${at}  ${event.type.replaceAll("_", " ").padEnd(15)} ${place}${details(event)}`;
}

function details(event: Event): string {
  switch (event.type) {
    case "started":
      return `${event.attempt > 1 ? `  attempt ${event.attempt}` : ""}${event.pass > 1 ? `  pass ${event.pass}` : ""}`;
    case "completed": {
      const files = event.content === undefined ? "" : `  ${event.content.length} file(s)`;
      const broken =
        event.violations === undefined || event.violations.length === 0
          ? ""
          : `  ${event.violations.length} violation(s)`;
      const word =
        event.word.text === undefined ? event.word.level : `${event.word.level}: "${event.word.text.slice(0, 80)}"`;
      return `  ${event.duration} s${files}${broken}  ${word}`;
    }
    case "adopted":
      return event.origin === "found"
        ? "  from a state file that stood here"
        : "  workflow_state.json was edited outside";
    case "began_anew":
    case "skipped":
      return `  ${event.reason}`;
    case "declined":
      return event.reason === undefined ? "" : `  ${event.reason}`;
    case "refused":
      return `  ${event.code}`;
    default:
      return "";
  }
}

function parseSince(text: string, now: Date): number {
  const [, amount, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  if (amount !== undefined) {
    const minutes = unit === "m" ? 1 : unit === "h" ? 60 : 1440;
    return now.getTime() - Number(amount) * minutes * 60_000;
  }
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new UserFault(`--since ${text} is not a time. Use 2026-01-31, 2026-01-31T10:00:00Z, 30m, 12h or 7d.`);
  return time;
}
