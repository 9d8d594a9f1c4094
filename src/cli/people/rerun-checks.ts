import { recheckChecks } from "../../app/recheck.ts";
import { recheckWalks } from "../../audit/recheck-walks.ts";
import { bestWalk } from "../../audit/required-walks.ts";
import type { JudgedWalk } from "../../audit/walk-sources.ts";
import { oneLine } from "../terminal/print.ts";
import { showProgress } from "../terminal/progress.ts";

/** Reruns the checks of every walk that holds so far, or of the nearest one if none does. */
export async function recheck(
  walks: readonly JudgedWalk[],
  folders: Parameters<typeof recheckChecks>[0],
): Promise<readonly JudgedWalk[]> {
  const sound = walks.filter(({ problems }) => problems.length === 0);
  const chosen = sound.length > 0 ? sound : walks.filter((walk) => walk === bestWalk(walks));
  let at = { done: 0, total: 0, name: "" };
  const show = showProgress((done, total) => `Rerunning check ${done + 1} of ${total}: ${oneLine(at.name)}`);
  const { again, close } = recheckChecks(folders, () => show?.(at.done, at.total));
  try {
    const compared = await recheckWalks(chosen, again, (done, total, name) => {
      at = { done, total, name };
      show?.(done, total);
    });
    return walks.map((walk) => compared[chosen.indexOf(walk)] ?? walk);
  } finally {
    close();
  }
}
