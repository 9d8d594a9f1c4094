import type { CheckRequest, Checks } from "../engine/ports/checks.ts";
import type { CheckStatus } from "../gates/check.ts";
import { canonicalText, checkMeaning } from "../gates/check-verdict.ts";

/**
 * The checks of a server that does not see the assistant's files: submitted files are checked as usual, and what needs a work tree is
 * left to a runner.
 */
export function leftToRunner(checks: Checks): Checks {
  const look = async (asked: CheckRequest): Promise<readonly CheckStatus[]> => {
    const own = asked.checks.filter(({ kind }) => kind === "file");
    const found = own.length === 0 ? [] : await checks.start({ ...asked, checks: own });
    return asked.checks.map(
      (check): CheckStatus =>
        found.find(({ name }) => name === check.name) ?? {
          name: check.name,
          status: "failed",
          definition: canonicalText(checkMeaning(check)),
          reads: "",
          summary: "waiting for a runner: this server cannot see the files it checks",
        },
    );
  };
  return { ...checks, start: look, stale: async () => [] };
}
