import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { openStore } from "../../src/cli/team/open-store.ts";
import { startHttp } from "../../src/cli/team/serve-http.ts";
import type { Tokens } from "../../src/engine/ports/team.ts";
import type { Quota } from "../../src/http/quota.ts";
import { runCli } from "../command-line.ts";
import { connect, type Window, type WindowOptions } from "../window.ts";

/** A team's server in this process, on a port of its own. */
export type Server = {
  /** The address of `/mcp`. */
  readonly url: string;
  /** The lines of its log. */
  readonly log: () => string;
  /** An assistant's window on it, with a token and in a project where one is named. */
  open(options?: WindowOptions & { readonly token?: string; readonly project?: string }): Promise<Window>;
  readonly tokens: Tokens;
  close(): Promise<void>;
};

export type StartOptions = {
  readonly http?: string;
  readonly projects?: string;
  readonly publicUrl?: string;
  readonly quota?: Quota;
  readonly leaseSeconds?: number;
  readonly noticePace?: { readonly everyMs: number; readonly firstRetry: number };
  readonly oauthIssuer?: string;
  readonly oauthAudience?: string;
  readonly oauthRoles?: string;
  readonly oauthClient?: string;
  readonly definitions?: string;
  readonly projectArea?: string;
  /** The database that keeps everything, and what the only project is called there. */
  readonly store?: string;
  readonly project?: string;
};

/** Starts a server on loopback, until it is told to stop or the test is over. */
export async function startServer(root: string, { store, ...options }: StartOptions = {}): Promise<Server> {
  let log = "";
  const kept = store === undefined ? {} : { postgres: openStore(store, options.project, true) };
  const places = { http: "127.0.0.1:0", ...options, ...kept, root };
  const { started, opened } = await startHttp(places, (line) => (log += line));
  let stopping: Promise<void> | undefined;
  const close = (): Promise<void> => {
    stopping ??= started.close(5000).then(opened.close);
    return stopping;
  };
  onTestFinished(close);
  return {
    url: started.url,
    tokens: opened.team.tokens,
    log: () => log,
    open: ({ token, project, ...how } = {}) =>
      openHttp(project === undefined ? started.url : `${started.url}/${project}`, {
        ...how,
        ...(token === undefined ? {} : { token }),
      }),
    close,
  };
}

/** A window on a server at this address. */
export async function openHttp(
  url: string,
  { token, ...options }: WindowOptions & { readonly token?: string },
): Promise<Window> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const window = await connect(transport, options);
  onTestFinished(window.close);
  return window;
}

/** A window on several servers in turn, as a plain balancer in front of them would have it. */
export async function openInTurn(urls: readonly string[], options: WindowOptions): Promise<Window> {
  let turn = 0;
  const transport = new StreamableHTTPClientTransport(new URL(urls[0] ?? ""), {
    fetch: (_, init) => fetch(urls[turn++ % urls.length] ?? "", init),
  });
  const window = await connect(transport, options);
  onTestFinished(window.close);
  return window;
}

/** Makes a token of a server's root, as a person would. */
export async function makeToken(root: string, name: string, role: string, project?: string): Promise<string> {
  const about = project === undefined ? [] : ["--project", project];
  const { stdout } = await runCli(["token", "add", name, "--role", role, ...about, "--root", root, "--json"]);
  return JSON.parse(stdout).token;
}
