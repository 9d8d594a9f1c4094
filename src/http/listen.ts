import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener, RequestError } from "@hono/node-server";
import { type Address, addressOf } from "./address.ts";
import { reasonOf, refusal } from "./refusal-response.ts";
import { refuseForeign, type Sender } from "./refuse-foreign.ts";

/** The addresses, names and handler of a server. */
export type ListenOptions = {
  /** The addresses to listen on, all with one port. */
  readonly addresses: readonly string[];
  /** The port, or 0 for any that is free on all addresses. */
  readonly port: number;
  /** The host names of the server. */
  readonly names: readonly string[];
  /** The URL that people use, if there is a proxy. */
  readonly publicUrl?: URL;
  readonly answer: (request: Request, address: Address) => Response | Promise<Response>;
  /** Reports errors while answering. */
  readonly report: (fault: unknown) => void;
  /** Hears of requests that were refused before they were answered. */
  readonly refused?: (request: RefusedRequest) => void;
  /** The milliseconds after which a slow request gets 408; 30 s by default. */
  readonly socketTimeoutMs?: number;
};

/** A request that never reached the server's parts. */
export type RefusedRequest = {
  readonly method: string;
  readonly status: number;
  readonly code: string;
  readonly reason: string;
};

/** A listening server. */
export type Listening = {
  readonly port: number;
  readonly address: Address;
  /** Stops accepting calls and waits for open ones, at most this long. */
  close(graceMs?: number): Promise<void>;
  /** Refuses new connections; those that are open go on. */
  refuseNew(): void;
};

/** Listens on every address, refusing requests for other names or from foreign pages; throws if the port is in use. */
export async function listen(transport: ListenOptions): Promise<Listening> {
  for (let tries = 1; ; tries++) {
    const opened = await openAll(transport);
    if ("listening" in opened) return opened.listening;
    if (transport.port !== 0 || tries === maxTries) throw opened.fault;
  }
}

/** The number of ports to try, because one may be free on one address and taken on another. */
const maxTries = 20;

async function openAll(
  transport: ListenOptions,
): Promise<{ readonly listening: Listening } | { readonly fault: Error }> {
  let address: Address | undefined;
  const admitted = getRequestListener(
    async (request) => (address === undefined ? starting() : await transport.answer(request, address)),
    {
      overrideGlobalObjects: false,
      errorHandler(fault) {
        if (fault instanceof RequestError) {
          const no = refusal(400, "invalid_input", "The request is malformed.");
          transport.refused?.({ method: "", status: no.status, code: "invalid_input", reason: fault.name });
          return no;
        }
        transport.report(fault);
        return refusal(500, "unavailable", "Internal error. Try again.");
      },
    },
  );
  const answer: RequestListener = (incoming, outgoing) => {
    const no = address === undefined ? starting() : refuseForeign(address, readSender(incoming));
    const reason = no && reasonOf(no);
    if (no !== undefined && reason !== undefined)
      transport.refused?.({ method: incoming.method ?? "", status: no.status, ...reason });
    void (no === undefined ? admitted(incoming, outgoing) : refuse(no, outgoing)).catch(transport.report);
  };
  const servers: Server[] = [];
  let port = transport.port;
  for (const host of transport.addresses) {
    const server = createServer(timeoutsFor(transport), answer).on("clientError", (fault, socket) => {
      const refused = refuseUnread(fault, socket);
      if (refused !== undefined) transport.refused?.(refused);
    });
    try {
      port = await opening(server, host, port);
      servers.push(server);
    } catch (fault) {
      // An address that this machine does not have cannot be taken by another program.
      if (servers.length > 0 && isAbsent(fault)) continue;
      await Promise.all(servers.map((one) => closing(one, 0)));
      return { fault: fault instanceof Error ? fault : new Error(String(fault)) };
    }
  }
  address = addressOf(transport.names, port, transport.publicUrl);
  const close = async (graceMs = 0): Promise<void> =>
    void (await Promise.all(servers.map((one) => closing(one, graceMs))));
  const refuseNew = (): void => {
    for (const one of servers) one.close();
    for (const one of servers) one.closeIdleConnections();
  };
  return { listening: { port, address, refuseNew, close } };
}

function timeoutsFor({ socketTimeoutMs = 30_000 }: ListenOptions): ServerOptions {
  return {
    headersTimeout: socketTimeoutMs,
    requestTimeout: socketTimeoutMs,
    connectionsCheckingInterval: Math.min(socketTimeoutMs, 1000),
    maxHeaderSize: 16_384,
  };
}

/** Reads host and origin, which must appear once; an absolute URL in the first line names another server. */
function readSender({ headersDistinct, url }: IncomingMessage): Sender {
  const { host = [], origin = [] } = headersDistinct;
  return {
    host: host.length === 1 && url?.startsWith("/") ? host[0] : undefined,
    origin: origin.join(", ") || undefined,
  };
}

async function refuse(no: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(no.status, { ...Object.fromEntries(no.headers), connection: "close" }).end(await no.text());
}

/** Answers what Node could not read as a request: too slow, too long or malformed; undefined if the client is gone. */
function refuseUnread(fault: Error & { readonly code?: string }, socket: Duplex): RefusedRequest | undefined {
  if (fault.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const [status, text, reason] =
    fault.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? ([408, "Request Timeout", "The headers or the body took too long."] as const)
      : fault.code === "HPE_HEADER_OVERFLOW"
        ? ([431, "Request Header Fields Too Large", "The headers are too long."] as const)
        : ([400, "Bad Request", "It is not an HTTP request."] as const);
  socket.end(`HTTP/1.1 ${status} ${text}\r\nConnection: close\r\n\r\n`);
  return { method: "", status, code: "invalid_input", reason };
}

function starting(): Response {
  return refusal(503, "unavailable", "The server is starting. Try again.");
}

function opening(server: Server, host: string, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once("error", fail);
    server.listen({ host, port, exclusive: true, ipv6Only: host.includes(":") }, () => {
      server.off("error", fail);
      const at = server.address();
      if (at === null || typeof at === "string") fail(new Error(`Could not listen on ${host}.`));
      else done(at.port);
    });
  });
}

function closing(server: Server, graceMs: number): Promise<void> {
  return new Promise((done) => {
    const late = setTimeout(() => server.closeAllConnections(), graceMs);
    const closed = (): void => {
      clearTimeout(late);
      done();
    };
    if (server.listening) server.close(closed);
    else server.getConnections((_, count) => (count === 0 ? closed() : server.once("close", closed)));
    server.closeIdleConnections();
  });
}

function isAbsent(fault: unknown): boolean {
  const code = fault instanceof Error && "code" in fault ? fault.code : undefined;
  return code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT";
}
