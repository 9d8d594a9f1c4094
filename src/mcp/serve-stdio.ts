import { randomUUID } from "node:crypto";
import type { Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Workplace } from "../engine/workplace.ts";
import { defined } from "../kit/defined.ts";
import { patienceMs } from "./elicit-approval.ts";
import { createServer, type ServerOptions } from "./server.ts";
import { stdioTransport } from "./stdio-transport.ts";
import { openTelemetry } from "./telemetry.ts";

export type StdioOptions = Pick<ServerOptions, "version" | "hostTraits" | "openPage"> & {
  /** Receives errors outside any call; stdout belongs to the protocol. */
  readonly report: (message: string) => void;
  readonly patienceMs?: number;
  /** Another transport than stdin and stdout. */
  readonly transport?: Transport;
};

/** Serves one connection over stdin and stdout, in either protocol era, until the client disconnects. */
export function serveOverStdio(workplace: Workplace, options: StdioOptions): { close(): Promise<void> } {
  const { version, hostTraits, openPage, transport = stdioTransport(), report } = options;
  const telemetry = openTelemetry("pipe");
  return serveStdio(
    async ({ era }) =>
      createServer({
        workplace,
        era,
        version,
        connection: randomUUID(),
        telemetry: await telemetry,
        patienceMs: options.patienceMs ?? patienceMs,
        ...defined({ hostTraits, openPage }),
      }),
    { onerror: (error) => report(error.message), transport },
  );
}
