import type { Caller } from "../workflow/command.ts";
import type { Desk } from "../workflow/desk.ts";
import type { Notice } from "../workflow/notice.ts";

/** So many callers are remembered; of one that has not called for longer, its own last move says what it knows. */
const mostCallers = 200;

/** Finds what others did to the place since a caller's own last call: said once, nothing to whoever comes for the first time, and not what is said already (`said`: the number of that move). */
export function othersMoves(): (caller: Caller, desk: Desk, said?: number) => readonly Notice[] {
  const seen = new Map<string, number>();
  return ({ id }, { moves }, said) => {
    const known = seen.get(id) ?? moves.findLast(({ by }) => by === id)?.number;
    seen.delete(id);
    seen.set(id, moves.at(-1)?.number ?? 0);
    const [oldest] = seen.keys();
    if (seen.size > mostCallers && oldest !== undefined) seen.delete(oldest);
    if (known === undefined) return [];
    const others = moves.filter(({ number, by }) => number > known && by !== id && number !== said);
    return others.length === 0 ? [] : [{ kind: "moved_by_others", moves: others }];
  };
}
