import { basename, resolve } from "node:path";
import type { OpenedWorkplace } from "../../app/open-workplace.ts";
import { sweepAtStart } from "../../app/wire-checks.ts";
import { runKey } from "../../dashboard/overview/run-key.ts";
import { hostTraits } from "../../hosts/host-display.ts";
import { serveOverStdio } from "../../mcp/serve-stdio.ts";
import { version } from "../../version.ts";
import { answerPages } from "../people/answer-pages.ts";
import { type PlaceOptions, workplaceFor } from "../terminal/workplace-options.ts";

/** Serves over stdio until the client disconnects or a signal comes. */
export function serve(options: PlaceOptions): void {
  const report = (message: string): void => void process.stderr.write(`waymark: ${message}\n`);
  const workplace = workplaceFor(options);
  const pages = answerPages(workplace, options, report);
  const { openPage } = pages;
  const handle = serveOverStdio(workplace, { version, report, hostTraits, openPage });
  const stopNotices = workplace.notices.start({
    project: basename(resolve(options.root)),
    async link(stream) {
      const { dashboardAddress } = await import("../people/dashboard.ts");
      const address = await dashboardAddress(options);
      return address && `${address}#/runs/${encodeURIComponent(runKey(stream))}`;
    },
    report,
  });
  const stop = (): void =>
    void Promise.allSettled([handle.close(), pages.close(), stopNotices()]).finally(() =>
      flushAndExit(workplace, report),
    );
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  process.stdin.once("end", stop);
  process.stdin.once("close", stop);
  reportProblems(workplace, report).catch((error: unknown) => report(String(error)));
  setTimeout(() => void sweepAtStart(), settleMs).unref();
}

/** The milliseconds before leftovers of other servers are handled, so that the client does not wait. */
const settleMs = 1000;

/** Reports problems of the definitions on stderr; the client does not wait for it. */
async function reportProblems(workplace: OpenedWorkplace, report: (message: string) => void): Promise<void> {
  const { bots, problems } = await workplace.bots();
  for (const { file, message } of problems) report(`${file}: ${message}`);
  if (bots.length === 0 && (await workplace.sessions.workflows()).length === 0)
    report(`there are no bots or workflows to serve in ${workplace.definitions}`);
}

/** Writes what is still in memory if possible, and reports what is lost. */
async function flushAndExit(workplace: OpenedWorkplace, report: (message: string) => void): Promise<never> {
  const left = await workplace.settle().catch((error: unknown) => [String(error)]);
  for (const said of left) report(said);
  workplace.close();
  process.exit(0);
}
