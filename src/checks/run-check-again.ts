import type { CheckRequest, Checks } from "../engine/ports/checks.ts";
import type { Check, CheckResult, CheckStatus } from "../gates/check.ts";

/** Runs one check on the current files, ignoring known results, and waits for it; calls `onWait` meanwhile. */
export async function runCheckAgain(
  checks: Checks,
  {
    check,
    ...asked
  }: Pick<CheckRequest, "id" | "ref"> & Partial<Pick<CheckRequest, "content" | "since">> & { readonly check: Check },
  onWait: () => void,
): Promise<CheckStatus> {
  let result: CheckResult | undefined;
  const ended = async (): Promise<CheckResult | undefined> => {
    const before = performance.now();
    const isOver = await checks.waitForEnd(asked.id, pollMs);
    // Nothing is running any more, and there is no result.
    const isLost = result === undefined && (isOver || performance.now() - before < pollMs / 2);
    return isLost ? { ...lost, name: check.name } : result;
  };
  const record = async (one: CheckResult): Promise<void> => {
    result = one;
  };
  const nothing = { results: async () => [], previousResult: async () => undefined, content: [] };
  const [begun] = await checks.start({ ...nothing, ...asked, checks: [check], record });
  if (begun !== undefined && begun.status !== "running") return begun;
  for (;;) {
    onWait();
    const found = await ended();
    if (found !== undefined) return found;
  }
}

/** In milliseconds. */
const pollMs = 500;

const lost = { status: "failed", definition: "", reads: "", summary: "stopped before it finished" } as const;
