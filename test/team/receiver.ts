import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** What a webhook was sent. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Record<string, unknown> & { readonly data?: Record<string, unknown> };
};

/** A real webhook on loopback. */
export type Receiver = {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Waits until so many came of which this is true. */
  came(count: number, of?: (one: Received) => boolean): Promise<readonly Received[]>;
  close(): Promise<void>;
};

/** Starts a webhook that answers each message with a status; until the test is over. */
export async function startReceiver({
  port = 0,
  answer = () => ({ status: 204 }),
}: {
  readonly port?: number;
  readonly answer?: (at: number) => { readonly status: number; readonly location?: string };
} = {}): Promise<Receiver> {
  const received: Received[] = [];
  let heard: () => void = () => undefined;
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      const { status, location } = answer(received.length);
      received.push({ path: request.url ?? "", headers: request.headers, text, body: JSON.parse(text) });
      response.writeHead(status, location === undefined ? {} : { location }).end();
      heard();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}/hook`,
    port: own,
    received,
    async came(count, of = () => true) {
      while (received.filter(of).length < count) await new Promise<void>((resolve) => (heard = resolve));
      return received.filter(of);
    },
    close,
  };
}

/** Tells if the signature of a message is that of its body and time. */
export function isSigned({ headers, text }: Received, secret: string): boolean {
  const [, time, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["waymark-signature"])) ?? [];
  return signature === createHmac("sha256", secret).update(`${time}.${text}`).digest("hex");
}
