import { recheckWalks } from "../audit/recheck.ts";
import { type JudgedWalk, nearest } from "../audit/required.ts";
import { checksAgain } from "../compose-recheck.ts";
import { plain } from "./print.ts";
import { progressOf } from "./progress.ts";

/** Has the checks looked at again of every walk that holds so far; where none does, of the one that comes nearest. */
export async function recheck(
  walks: readonly JudgedWalk[],
  folders: Parameters<typeof checksAgain>[0],
): Promise<readonly JudgedWalk[]> {
  const sound = walks.filter(({ problems }) => problems.length === 0);
  const chosen = sound.length > 0 ? sound : walks.filter((walk) => walk === nearest(walks));
  let at = { done: 0, total: 0, name: "" };
  const show = progressOf((done, total) => `Looking at check ${done + 1} of ${total} again: ${plain(at.name)}`);
  const { again, close } = checksAgain(folders, () => show?.(at.done, at.total));
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
