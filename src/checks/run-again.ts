import type { Checks, ChecksAsked } from "../engine/ports.ts";
import type { Check, CheckResult, CheckStanding } from "../evidence/check.ts";

/** Runs one check on the files as they are, whatever is known of it, and waits for its end; `onWait` is called meanwhile. */
export async function runAgain(
  checks: Checks,
  { check, ...asked }: Pick<ChecksAsked, "id" | "ref" | "startedAt"> & { readonly check: Check },
  onWait: () => void,
): Promise<CheckStanding> {
  let result: CheckResult | undefined;
  const ended = async (): Promise<CheckResult | undefined> => {
    const before = performance.now();
    const isOver = await checks.ended(asked.id, betweenNews);
    // Nothing is under way any more, and nothing came of it.
    const isLost = result === undefined && (isOver || performance.now() - before < betweenNews / 2);
    return isLost ? { ...lost, name: check.name } : result;
  };
  const record = async (one: CheckResult): Promise<void> => {
    result = one;
  };
  const nothing = { known: async () => [], before: async () => undefined, content: [] };
  const [begun] = await checks.look({ ...asked, ...nothing, checks: [check], record });
  if (begun !== undefined && begun.status !== "running") return begun;
  for (;;) {
    onWait();
    const found = await ended();
    if (found !== undefined) return found;
  }
}

/** In milliseconds. */
const betweenNews = 500;

const lost = { status: "failed", definition: "", reads: "", summary: "it was ended before it was done" } as const;
