import type { Checks, ChecksAsked } from "../engine/ports.ts";
import type { CheckStanding } from "../evidence/check.ts";
import { checkMeaning, nameOf } from "../evidence/check-verdict.ts";

/**
 * The checks of a server that does not see the assistant's files: handed-in files are looked at as anywhere, what takes a
 * work tree is not run here, and is no proof. A runner will run it where the work tree is.
 */
export function leftToRunner(checks: Checks): Checks {
  const look = async (asked: ChecksAsked): Promise<readonly CheckStanding[]> => {
    const own = asked.checks.filter(({ kind }) => kind === "file");
    const found = own.length === 0 ? [] : await checks.look({ ...asked, checks: own });
    return asked.checks.map(
      (check): CheckStanding =>
        found.find(({ name }) => name === check.name) ?? {
          name: check.name,
          status: "failed",
          definition: nameOf(checkMeaning(check)),
          reads: "",
          summary: "it waits for a runner: this server does not see the files that it is about",
        },
    );
  };
  return { ...checks, look, stale: async () => [] };
}
