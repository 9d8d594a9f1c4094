import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type Address, addressOf } from "./address.ts";
import { type Sender, turnedAway } from "./admit.ts";
import { refusal } from "./refusal.ts";

/** What listens: where, under which names, and what answers once a request has been let in. */
export type Door = {
  /** The addresses of this machine to listen on, all with one port. */
  readonly addresses: readonly string[];
  /** The port; 0 for any that is free on all of them. */
  readonly port: number;
  /** The names it is called by. */
  readonly names: readonly string[];
  /** The URL that people use for it, where something stands in front of it. */
  readonly publicUrl?: URL;
  readonly answer: (request: Request, address: Address) => Response | Promise<Response>;
  /** Hears of what went wrong while answering. */
  readonly report: (fault: unknown) => void;
  /** Whoever takes longer to send their headers or the whole of a request is cut off with 408; 30 s, where nothing is said. */
  readonly patienceMs?: number;
};

/** A server that listens. */
export type Listening = {
  readonly port: number;
  readonly address: Address;
  /** Takes no more calls; whoever is being answered gets their answer, for so long. */
  close(graceMs?: number): Promise<void>;
};

/** Listens on every address of the door; no request is answered that was sent to another name or by another's page. Fails where the port is taken. */
export async function listen(door: Door): Promise<Listening> {
  for (let tries = 1; ; tries++) {
    const opened = await openAll(door);
    if ("listening" in opened) return opened.listening;
    if (door.port !== 0 || tries === mostTries) throw opened.fault;
  }
}

/** A port that is free on one address may be taken on another; any other will do. */
const mostTries = 20;

async function openAll(door: Door): Promise<{ readonly listening: Listening } | { readonly fault: Error }> {
  let address: Address | undefined;
  const admitted = getRequestListener(
    async (request) => (address === undefined ? starting() : await door.answer(request, address)),
    {
      overrideGlobalObjects: false,
      errorHandler(fault) {
        if (fault instanceof RequestError) return refusal(400, "invalid_input", "This request cannot be read.");
        door.report(fault);
        return refusal(500, "unavailable", "Something went wrong here. Try again.");
      },
    },
  );
  const answer: RequestListener = (incoming, outgoing) => {
    const no = address === undefined ? starting() : turnedAway(address, senderOf(incoming));
    void (no === undefined ? admitted(incoming, outgoing) : refuse(no, outgoing)).catch(door.report);
  };
  const servers: Server[] = [];
  let port = door.port;
  for (const host of door.addresses) {
    const server = createServer(limitsFor(door), answer);
    try {
      port = await opening(server, host, port);
      servers.push(server);
    } catch (fault) {
      // Where this machine has no such address, nobody else can be there either.
      if (servers.length > 0 && isAbsent(fault)) continue;
      await Promise.all(servers.map((one) => closing(one, 0)));
      return { fault: fault instanceof Error ? fault : new Error(String(fault)) };
    }
  }
  address = addressOf(door.names, port, door.publicUrl);
  const close = async (graceMs = 0): Promise<void> =>
    void (await Promise.all(servers.map((one) => closing(one, graceMs))));
  return { listening: { port, address, close } };
}

function limitsFor({ patienceMs = 30_000 }: Door): ServerOptions {
  return {
    headersTimeout: patienceMs,
    requestTimeout: patienceMs,
    connectionsCheckingInterval: Math.min(patienceMs, 1000),
    maxHeaderSize: 16_384,
  };
}

/** Who sent it, by headers that stand there once; a request that names another server in its first line was not meant for this one. */
function senderOf({ headersDistinct, url }: IncomingMessage): Sender {
  const { host = [], origin = [] } = headersDistinct;
  return {
    host: host.length === 1 && url?.startsWith("/") ? host[0] : undefined,
    origin: origin.join(", ") || undefined,
  };
}

async function refuse(no: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(no.status, { ...Object.fromEntries(no.headers), connection: "close" }).end(await no.text());
}

function starting(): Response {
  return refusal(503, "unavailable", "This server is starting.");
}

function opening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen({ host, port, exclusive: true, ipv6Only: host.includes(":") }, () => {
      server.off("error", fail);
      const at = server.address();
      if (at === null || typeof at === "string") fail(new Error(`Nothing listens on ${host}.`));
      else done(at.port);
    });
  });
}

function closing(server: Server, graceMs: number): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(late);
      done();
    });
    server.closeIdleConnections();
  });
}

function isAbsent(fault: unknown): boolean {
  const code = fault instanceof Error && "code" in fault ? fault.code : undefined;
  return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";
}
