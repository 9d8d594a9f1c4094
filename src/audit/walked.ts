import { type Desk, isSatisfied } from "../workflow/desk.ts";
import type { Event } from "../workflow/events.ts";

/** Whether a workflow was walked to its end with nothing taken on anybody's word but ours; or why that cannot be said. */
export type Walked = { readonly walked: true } | { readonly walked: false; readonly why: string };

/** Judges one workflow of a desk by its history. */
export function judgeWalk(workflow: string, desk: Desk, events: readonly Event[]): Walked {
  const run = desk.runs.get(workflow);
  if (run === undefined) return no(`${workflow} was never begun`);
  const steps = [...run.steps.values()];
  const isFinished =
    desk.session === null
      ? steps.every(isSatisfied) && steps.some(({ completion }) => completion?.finished === true)
      : steps.filter(({ status }) => status === "completed").length === desk.session.total;
  if (!isFinished) return no(`${workflow} is not finished`);
  const edited = events.find((event) => event.type === "adopted");
  if (edited !== undefined) return no(`workflow_state.json was ${origin(edited)} on ${edited.at.slice(0, 10)}`);
  if (steps.some(({ status }) => status === "vouched"))
    return no(`${workflow} has a step that nobody completed: a person's edit vouches for it`);
  return { walked: true };
}

function origin(event: Event & { type: "adopted" }): string {
  return event.origin === "edited" ? "edited by hand" : "taken over from before the first record";
}

function no(why: string): Walked {
  return { walked: false, why };
}
