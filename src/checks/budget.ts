/**
 * How much work a round of checks may take. Work is counted and not timed, so that the same files get the same answer on a
 * slow machine and on a fast one. A unit is one instruction of a pattern on one character, 15 ns at worst.
 */
export type Budget = { spend(units: number): void; isSpent(): boolean; spent(): number };

/** A budget of so many units; without a number that of one round. */
export function budgetOf(units = aRound): Budget {
  let spent = 0;
  return {
    spend: (more) => {
      spent += more;
    },
    isSpent: () => spent >= units,
    spent: () => spent,
  };
}

const aRound = 500_000_000;
