import type { CallerContext } from "../../engine/caller.ts";
import { systemClock } from "../../kit/system-clock.ts";
import { type BoardRun, openEngine } from "./board-runs.ts";
import type { PageHandler } from "./pages/pages.ts";
import { reviewPage } from "./pages/review-page.ts";
import type { BoardProject } from "./ports.ts";

/** A submission under review on the board, and the person. */
export type ReviewRequest = {
  readonly project: string;
  readonly stream: BoardRun;
  readonly workflow: string;
  readonly step: string;
  readonly caller: CallerContext;
  /** Their token alone is enough to answer a blocked step. */
  readonly unsigned: boolean;
};

/** The number of submissions remembered with their statements. */
const maxReviews = 200;

/** Finds the latest attempt at a step with the same actions as `waymark approve --web`, or undefined. */
export function reviewFinder(): (place: BoardProject, asked: ReviewRequest) => Promise<PageHandler | undefined> {
  const matters = new Map<string, PageHandler>();
  return async (place, { project, stream, workflow, step, caller, unsigned }) => {
    const { runs } = (await stream.area.log.load(stream.id)).stream;
    const run = runs.get(workflow);
    const state = run?.steps.get(step);
    const engine = state && (await openEngine(place, stream));
    if (run === undefined || state === undefined || engine === undefined) return undefined;
    const ref = { workflow, step, pass: run.pass, attempt: state.attempt };
    const key = JSON.stringify([project, stream.key, ref, caller.id]);
    const { candidates } = place;
    const clock = systemClock;
    const matter =
      matters.get(key) ??
      reviewPage({ engine, ref, project, caller, unsigned, candidates, clock, answered: () => undefined });
    matters.delete(key);
    matters.set(key, matter);
    for (const old of [...matters.keys()].slice(0, -maxReviews)) matters.delete(old);
    return matter;
  };
}
