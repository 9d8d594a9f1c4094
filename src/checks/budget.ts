/**
 * A limit on the work of a round of checks, counted rather than timed so that slow and fast machines agree. A unit is one pattern
 * instruction on one character, at most 15 ns.
 */
export type Budget = { spend(units: number): void; isSpent(): boolean; spent(): number };

/** Makes a budget of `units`, by default that of one round. */
export function makeBudget(units = roundUnits): Budget {
  let spent = 0;
  return {
    spend: (more) => {
      spent += more;
    },
    isSpent: () => spent >= units,
    spent: () => spent,
  };
}

const roundUnits = 500_000_000;
