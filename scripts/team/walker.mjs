import { setTimeout as wait } from "node:timers/promises";
import { caller } from "./caller.mjs";

/** Starts a tally of all walkers: acknowledged marks, refusals, broken calls, and the time of each completion in milliseconds. */
export function newTally() {
  return { acknowledged: new Set(), refused: 0, broken: 0, times: [] };
}

/**
 * One assistant, in the protocol of its turn: opens an action of a run of its own, completes it with a mark, and sends the same
 * again until it is told that it counts.
 */
export async function walk(index, urlOf, tally, isOver, token, through) {
  const send = through ?? caller(urlOf, { era: index % 2 === 0 ? "legacy" : "modern", token });
  const call = async (name, args) => {
    for (;;) {
      try {
        const answer = (await send(name, args)).structuredContent;
        if (answer?.error !== "unavailable") return answer;
        tally.refused += 1;
      } catch {
        tally.broken += 1; // the replica died under it, or is not back yet
      }
      if (isOver()) return undefined;
      await wait(50 + Math.random() * 100);
    }
  };
  const run = `client-${index}`;
  for (let number = 0; !isOver(); number++) {
    const opened = await call("shape_bot", { run, resume: "continue" });
    if (opened === undefined) return;
    if (opened.status === "review" || opened.status === "workflow_complete" || opened.error === "invalid_input")
      await call("shape_bot", { run, resume: "restart" });
    const mark = `${run}/${number}`;
    const began = performance.now();
    const submitted = { run, behavior: "shape", confirmation: "yes, done", outputs: { mark } };
    const done = await call("complete_action", submitted);
    if (done?.status !== "completed" && done?.status !== "workflow_complete") continue;
    tally.acknowledged.add(mark);
    tally.times.push(performance.now() - began);
  }
}

/** The time that the given share of calls stays below, in milliseconds. */
export function quantile(times, share) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.NaN;
}
