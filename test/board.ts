import { request } from "node:http";
import { gunzipSync } from "node:zlib";
import { onTestFinished } from "vitest";
import { type DashboardOptions, startDashboard } from "../src/cli/people/dashboard.ts";

/** What a server answered. */
export type BoardAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says is looked at by the test
  readonly data: any;
};

/** What a request has otherwise than one of the page itself. */
export type Sent = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly method?: string;
};

/** A dashboard in this process. */
export type TestBoard = {
  readonly url: string;
  readonly token: string;
  readonly port: number;
  ask(path: string, sent?: Sent): Promise<BoardAnswer>;
  close(): Promise<void>;
};

/** Serves the dashboard of a project, until it is told to stop or the test is over. */
export async function startBoard(root: string, options: Partial<DashboardOptions> = {}): Promise<TestBoard> {
  const started = await startDashboard({ root, port: "0", ...options });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= started.close();
    return closing;
  };
  onTestFinished(close);
  const { port, hash } = new URL(started.url);
  const token = hash.slice(1);
  return {
    url: started.url,
    token,
    port: Number(port),
    ask: (path, sent = {}) =>
      askAt(Number(port), path, { ...sent, headers: { authorization: `Bearer ${token}`, ...sent.headers } }),
    close,
  };
}

/** Asks a server on loopback, as a page of its own would unless told otherwise: a header that is empty is left out. */
export function askAt(port: number, path: string, { headers = {}, body, method }: Sent = {}): Promise<BoardAnswer> {
  const own = `http://localhost:${port}`;
  const isWrite = body !== undefined;
  const all = {
    host: `localhost:${port}`,
    "sec-fetch-site": "same-origin",
    ...(isWrite ? { origin: own, "content-type": "application/json" } : {}),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));
  return new Promise((done, fail) => {
    const asking = request(
      { host: "127.0.0.1", port, path, method: method ?? (isWrite ? "POST" : "GET"), headers: sent },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => void chunks.push(chunk));
        answer.on("error", fail);
        answer.on("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = (answer.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString("utf8");
          const isJson = /json/.test(answer.headers["content-type"] ?? "");
          done({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            text,
            data: isJson ? JSON.parse(text) : undefined,
          });
        });
      },
    );
    asking.on("error", fail);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
