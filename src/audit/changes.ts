import { type JudgedBy, readJudgedBy } from "../gates/judged-by.ts";
import type { Event } from "../workflow/events.ts";
import { attemptKey } from "../workflow/step-ref.ts";

/** Returns a function that takes a history's events in order and yields what changed in definitions and settings since the step before. */
export function changeFinder(): (event: Event) => readonly string[] {
  let settings: string | undefined;
  let behaviors: string | undefined;
  const sequences = new Map<string, string>();
  const rules = new Map<string, string>();
  const opened = new Map<string, JudgedBy>();
  return (event) => {
    if (event.type === "adopted" && event.origin === "edited" && settings?.includes("external_edits refuse"))
      return ["obeyed, though the settings refused edits before: they were changed"];
    if (!("judgedBy" in event)) return [];
    const by = readJudgedBy(event.judgedBy);
    if (by === undefined || "form" in by) return [];
    const run = JSON.stringify([event.workflow, event.pass]);
    const attempt = attemptKey(event);
    const [before, sequence, then] = [settings, sequences.get(run), opened.get(attempt)];
    const listed = behaviors;
    behaviors = by.behaviors ?? behaviors;
    const ruled = rules.get(event.workflow);
    if (by.rules !== undefined) rules.set(event.workflow, by.rules);
    settings = by.settings ?? settings;
    sequences.set(run, by.sequence);
    if (event.type === "started") opened.set(attempt, by);
    return [
      ...(before === undefined || before === settings ? [] : [`the settings changed: ${before} → ${settings}`]),
      ...(sequence === undefined || sequence === by.sequence ? [] : ["the sequence has changed since the step before"]),
      ...(then === undefined || then.gate === by.gate ? [] : ["its gate has changed since it was opened"]),
      ...(isOther(listed, by.behaviors) ? ["the behaviors that come in order have changed"] : []),
      ...(isOther(then?.schemas, by.schemas) ? ["a schema of its checks has changed since it was opened"] : []),
      ...(isOther(ruled, by.rules) ? ["the rules have changed since they were run before"] : []),
    ];
  };
}

/** Older records that do not name a part count as unchanged. */
function isOther(before: string | undefined, now: string | undefined): boolean {
  return before !== undefined && now !== undefined && before !== now;
}
