import { progress } from "./figures.ts";
import { type Fault, isPossible } from "./injector.ts";

/** Which faults to go through: for every call and kind, n = 1, 1 + step, … until no fault fires. */
export type Series = Pick<Fault, "call" | "kind"> & { readonly step: number };

/** What came of one walk with one fault; it did not fire where the walk never came to it. */
export type Strike = { readonly isFired: boolean; readonly acknowledged: number };

/** What a test of faults is allowed: how long it takes is the machine's matter, and what ends it is that no fault fires any more. */
export const untimed = { timeout: 0 } as const;

/** Walks once for every fault, two at a time, and says how far it is; answers how many fired and what was acknowledged meanwhile. */
export async function goThrough(
  title: string,
  series: readonly Series[],
  strike: (fault: Fault) => Promise<Strike>,
): Promise<{ readonly fired: number; readonly acknowledged: number }> {
  const left = series.filter(isPossible);
  let [fired, acknowledged] = [0, 0];
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const { call, kind, step } = next;
      for (let n = 1; ; n += step) {
        if (n > most) throw new Error(`${title}: ${call} ${kind} fires without end.`);
        const struck = await strike({ call, kind, n });
        acknowledged += struck.acknowledged;
        if (!struck.isFired) break;
        fired += 1;
        progress(`${title}, ${left.length} series to begin`, fired);
      }
    }
  };
  await Promise.all([worker(), worker()]);
  return { fired, acknowledged };
}

/** A walk of a few steps makes a hundred calls of a kind, not so many. */
const most = 5000;
