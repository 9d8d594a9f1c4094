import { readdirSync } from "node:fs";
import { join } from "node:path";
import { home } from "./set-up.mjs";

/** Journeys that do not run over HTTP, each with the reason; the others name their own differences (`test/doors.ts`). */
const atHand = {
  "approve.test.ts": "a person at the terminal of the work tree",
  "attestation.test.ts": "files beside their history",
  "audit.test.ts": "journals in files",
  "blocked.test.ts": "a person at the terminal of the work tree",
  "budgets.test.ts": "what tools cost, the same over any transport",
  "built.test.ts": "commands as processes",
  "checks-windows.test.ts": "commands that are run: over HTTP they wait for a runner (test/team/evidence.test.ts)",
  "checks.test.ts": "commands that are run",
  "claims-and-facts.test.ts": "commands that are run",
  "enroll.test.ts": "a person at the terminal",
  "kill.test.ts": "a process that is killed: over HTTP npm run soak does",
  "last-landing.test.ts": "records of earlier versions, as files and in a database of their own",
  "many-runs.test.ts": "processes that are killed",
  "merged-histories.test.ts": "journals that git merges",
  "no-blocking.test.ts": "one process, looked at from inside",
  "old-records.test.ts": "journals of earlier versions, as files",
  "recheck.test.ts": "commands that are run",
  "runs-at-the-terminal.test.ts": "work trees of git",
  "session-names.test.ts": "commands at the terminal",
  "see.test.ts": "commands at the terminal",
  "show.test.ts": "commands at the terminal",
  "stale.test.ts": "commands that are run",
  "verify-approvals.test.ts": "journals in files",
  "worktrees.test.ts": "work trees of git",
};

/** Lists the journeys that run over HTTP too, with each store of their histories. */
export function journeysOverHttp() {
  const inFolder = (folder) => readdirSync(join(home, "test", folder)).map((name) => `test/${folder}/${name}`);
  const files = [...inFolder("seeds"), ...inFolder("journeys")].filter((file) => !(file.split("/")[2] in atHand));
  return ["http-files", "http-postgres"].map((door) => ({ door, files }));
}
