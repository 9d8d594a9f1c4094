import { resolve } from "node:path";
import { openBridge } from "../../app/open-bridge.ts";
import type { PlaceOptions } from "../terminal/workplace-options.ts";
import { openSignIn } from "./kept-sign-in.ts";
import { remoteUrl } from "./remote-url.ts";

export type RemoteOptions = PlaceOptions & { readonly remote: string; readonly login?: true };

/** Serves an assistant over stdio by passing its calls to a team server; with `--login`, signs the person in instead. */
export async function serveRemote(options: RemoteOptions): Promise<void> {
  const url = remoteUrl(options.remote, options.project);
  if (options.login === true) return (await import("./login.ts")).login(url);
  const report = (message: string): void => void process.stderr.write(`waymark: ${message}\n`);
  const bridge = await openBridge({
    url,
    area: resolve(options.projectArea ?? options.root),
    report,
    ...openSignIn(url),
  });
  let isStopping = false;
  const stop = (): void => {
    if (isStopping) return;
    isStopping = true;
    void bridge.close().finally(() => process.exit(0));
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  for (const end of ["end", "close"] as const) process.stdin.once(end, stop);
}
