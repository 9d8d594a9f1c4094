import type { OpenedWorkplace } from "../compose.ts";
import { sweepAtStart } from "../compose-checks.ts";
import { hostTraits } from "../hosts/shown.ts";
import { serveOverStdio } from "../mcp/serve-stdio.ts";
import { version } from "../version.ts";
import { answerPages } from "./answer-pages.ts";
import { type PlaceOptions, workplaceFor } from "./workplace.ts";

/** Serves until the client hangs up or a signal comes; a server that outlives its window holds nothing. */
export function serve(options: PlaceOptions): void {
  const report = (message: string): void => void process.stderr.write(`waymark: ${message}\n`);
  const workplace = workplaceFor(options);
  const pages = answerPages(workplace, options, report);
  const { openPage } = pages;
  const handle = serveOverStdio(workplace, { version, report, hostTraits, openPage });
  const stop = (): void =>
    void Promise.allSettled([handle.close(), pages.close()]).finally(() => leave(workplace, report));
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  process.stdin.once("end", stop);
  process.stdin.once("close", stop);
  reportProblems(workplace, report).catch((error: unknown) => report(String(error)));
  setTimeout(() => void sweepAtStart(), afterTheFirstCalls).unref();
}

/** In milliseconds: what another server left can wait, and the client does not. */
const afterTheFirstCalls = 1000;

/** Says on stderr what an author should know; the client does not wait for it. */
async function reportProblems(workplace: OpenedWorkplace, report: (message: string) => void): Promise<void> {
  const { bots, warnings, problems } = await workplace.bots();
  for (const said of [...warnings, ...problems.map(({ file, message }) => `${file}: ${message}`)]) report(said);
  if (bots.length === 0 && (await workplace.sessions.workflows()).length === 0)
    report(`there is no bot and no workflow to serve in ${workplace.definitions}`);
}

/** What waits in memory is written first, where that works now; what is lost with this process is said. */
async function leave(workplace: OpenedWorkplace, report: (message: string) => void): Promise<never> {
  const left = await workplace.settle().catch((error: unknown) => [String(error)]);
  for (const said of left) report(said);
  workplace.close();
  process.exit(0);
}
