import type { Caller } from "../workflow/command.ts";
import type { Notice } from "../workflow/notice.ts";
import type { StreamSnapshot } from "../workflow/stream-snapshot.ts";

/** At most this many callers are remembered; for others, their own last move tells what they know. */
const maxCallers = 200;

/** Finds moves by others since a caller's last call and reports them once; `said` is the number of a move already mentioned. */
export function trackOthersMoves(): (caller: Caller, stream: StreamSnapshot, said?: number) => readonly Notice[] {
  const seen = new Map<string, number>();
  return ({ id }, { moves }, said) => {
    const known = seen.get(id) ?? moves.findLast(({ by }) => by === id)?.number;
    seen.delete(id);
    seen.set(id, moves.at(-1)?.number ?? 0);
    const [oldest] = seen.keys();
    if (seen.size > maxCallers && oldest !== undefined) seen.delete(oldest);
    if (known === undefined) return [];
    const others = moves.filter(({ number, by }) => number > known && by !== id && number !== said);
    return others.length === 0 ? [] : [{ kind: "moved_by_others", moves: others }];
  };
}
