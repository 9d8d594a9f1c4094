import type { Calling } from "../../engine/caller.ts";
import { judging } from "../pages/judging.ts";
import type { Matter } from "../pages/pages.ts";
import { type BoardDesk, engineOf } from "./desks.ts";
import type { BoardProject } from "./ports.ts";

/** What is judged on the board: one hand-in of a run, by one person. */
export type Asked = {
  readonly project: string;
  readonly desk: BoardDesk;
  readonly workflow: string;
  readonly step: string;
  readonly caller: Calling;
};

/** So many hand-ins are remembered with the statements that were made about them. */
const mostMatters = 200;

/** Finds what a person judges: the newest attempt at a step, with the acts of the page that `waymark approve --web` opens; undefined where there is none. */
export function answering(): (place: BoardProject, asked: Asked) => Promise<Matter | undefined> {
  const matters = new Map<string, Matter>();
  return async (place, { project, desk, workflow, step, caller }) => {
    const { runs } = (await desk.area.log.look(desk.id)).desk;
    const run = runs.get(workflow);
    const state = run?.steps.get(step);
    const engine = state && (await engineOf(place, desk));
    if (run === undefined || state === undefined || engine === undefined) return undefined;
    const ref = { workflow, step, pass: run.pass, attempt: state.attempt };
    const key = JSON.stringify([project, desk.key, ref, caller.id]);
    const { candidates } = place;
    const clock = (): Date => new Date();
    const matter =
      matters.get(key) ?? judging({ engine, ref, project, caller, candidates, clock, answered: () => undefined });
    matters.delete(key);
    matters.set(key, matter);
    for (const old of [...matters.keys()].slice(0, -mostMatters)) matters.delete(old);
    return matter;
  };
}
