import { resolve } from "node:path";
import { runRunner, TurnedAway } from "../../app/open-runner.ts";
import { openRunnerKey, type RunnerKey } from "../../people/runner-key.ts";
import { ownRunnerKey, runnerKeyNames } from "../../people/runner-keys-folder.ts";
import { UserError } from "../terminal/user-error.ts";
import type { PlaceOptions } from "../terminal/workplace-options.ts";
import { openSignIn } from "./kept-sign-in.ts";
import { remoteUrl } from "./remote-url.ts";

export type RunnerOptions = PlaceOptions & {
  readonly url: string;
  readonly as?: string;
  readonly login?: true;
  readonly json?: true;
};

/** Runs checks for a team server until a signal comes. */
export async function runner(options: RunnerOptions): Promise<void> {
  const url = remoteUrl(options.url, options.project);
  if (options.login === true) return (await import("./login.ts")).login(url);
  const key = await chooseRunnerKey(options.as);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());
  const say = (line: string): void => {
    process.stdout.write(
      options.json === true ? `${JSON.stringify({ at: new Date().toISOString(), said: line })}\n` : `${line}\n`,
    );
  };
  say(`Waiting for checks of ${url.href} (key ${key.key.slice(0, 16)}). Stop with Ctrl+C.`);
  const { token } = openSignIn(url);
  try {
    await runRunner({ url, area: resolve(options.projectArea ?? options.root), key, token, say }, stop.signal);
  } catch (fault) {
    if (fault instanceof TurnedAway) throw new UserError(fault.message);
    throw fault;
  }
}

/** The key of the environment, in CI; otherwise this user's only one, or the one that is named. */
async function chooseRunnerKey(name: string | undefined): Promise<RunnerKey> {
  const given = process.env.WAYMARK_RUNNER_KEY ?? "";
  if (given !== "" && name === undefined) {
    try {
      return openRunnerKey(given);
    } catch {
      throw new UserError(
        "WAYMARK_RUNNER_KEY is not a runner's key. It is the whole text of the .pem file that waymark runner --enroll NAME makes.",
      );
    }
  }
  const names = await runnerKeyNames();
  const chosen = name ?? (names.length === 1 ? names[0] : undefined);
  if (chosen === undefined)
    throw new UserError(
      names.length === 0
        ? "This user has no runner's key. Create one with waymark runner --enroll NAME."
        : `You have several keys here: ${names.join(", ")}. Name one with --as.`,
    );
  if (!names.includes(chosen))
    throw new UserError(`You have no runner's key named ${chosen}. Create one with waymark runner --enroll ${chosen}.`);
  return (await ownRunnerKey(chosen)).own;
}
