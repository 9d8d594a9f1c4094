import { join } from "node:path";
import type { SentResult } from "../checks/runner/run-claim.ts";
import { runnerLink } from "../checks/runner/runner-link.ts";
import { type LoopDeps, runLoop } from "../checks/runner/runner-loop.ts";
import { type RunnerKey, signText } from "../people/runner-key.ts";
import { findRunFolders } from "../repository/run-folders.ts";
import { keepAskedCheck } from "./asked-checks.ts";
import { lazyChecks } from "./wire-checks.ts";

export type { SentResult } from "../checks/runner/run-claim.ts";
export { TurnedAway } from "../checks/runner/runner-loop.ts";

export type RunnerPlaces = {
  readonly url: URL;
  /** The work tree, and the folder of its definitions if it has any. */
  readonly area: string;
  readonly key: RunnerKey;
  token(): Promise<string | undefined>;
  readonly say: (line: string) => void;
  onResult?(sent: SentResult): void;
};

/** Runs checks for a team server until it is stopped. */
export async function runRunner(places: RunnerPlaces, stop: AbortSignal): Promise<void> {
  const { url, area, key, say, token, onResult } = places;
  const home = await findRunFolders().inMain(area);
  const deps: LoopDeps = {
    link: runnerLink(url, token),
    area,
    public: key.public,
    sign: (text) => signText(text, key),
    checksIn: (folder) => lazyChecks({ area: folder, history: area }, join(area, ".waymark"), [area, home]),
    keepForTrust: (check) => keepAskedCheck(area, check, url.host),
    say,
    ...(onResult === undefined ? {} : { onResult }),
  };
  return runLoop(deps, stop);
}
