import { randomUUID } from "node:crypto";
import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Workplace } from "../workplace.ts";
import { createServer, type ServerOptions } from "./server.ts";
import { stdioDoor } from "./stdio-door.ts";

export type StdioOptions = Pick<ServerOptions, "version" | "hostTraits" | "openPage"> & {
  /** Receives what goes wrong outside any call; stdout belongs to the protocol. */
  readonly report: (message: string) => void;
  readonly patienceMs?: number;
  /** Another way to the client than stdin and stdout. */
  readonly transport?: Transport;
};

/** Hosts give up on a call after 60 s; a person is waited for a little less. */
const patienceMs = 45_000;

/** Serves one connection over stdin and stdout, in either protocol era, until the client hangs up. */
export function serveOverStdio(workplace: Workplace, options: StdioOptions): { close(): Promise<void> } {
  const { version, hostTraits, openPage, transport = stdioDoor(), report } = options;
  return serveStdio(
    ({ era }) =>
      createServer({
        workplace,
        era,
        version,
        connection: randomUUID(),
        patienceMs: options.patienceMs ?? patienceMs,
        ...(hostTraits === undefined ? {} : { hostTraits }),
        ...(openPage === undefined ? {} : { openPage }),
      }),
    { onerror: (error) => report(error.message), transport },
  );
}
