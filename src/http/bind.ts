import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { loopback } from "./address.ts";

/** Where a server listens: the addresses, the port, the names that lead there, and what people would call it. */
export type Bind = {
  readonly addresses: readonly string[];
  readonly names: readonly string[];
  readonly port: number;
  /** Whether this machine alone reaches it. */
  readonly isLocal: boolean;
  readonly host: string;
};

const usual = { host: "127.0.0.1", port: 4319 };

/** Reads HOST:PORT, either of which may be left out; undefined where it is neither. */
export function readBind(written: string): Bind | undefined {
  const [, inBrackets, name, port] = /^(?:\[([^\]]+)\]|([^:[\]]*))?(?::(\d{1,5}))?$/.exec(written) ?? [null];
  const isPort = inBrackets === undefined && port === undefined && /^\d{1,5}$/.test(name ?? "");
  const number = Number(isPort ? name : (port ?? usual.port));
  const host = (isPort ? "" : (inBrackets ?? name ?? "")) || usual.host;
  const isHost = isIP(host) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host);
  if (!(number <= 65_535) || !isHost || /^(?:\[([^\]]+)\]|([^:[\]]*))?(?::(\d{1,5}))?$/.test(written) === false)
    return undefined;
  const isLocal = host === "localhost" || loopback.includes(host);
  if (isLocal) return { addresses: loopback, names: ["localhost", ...loopback], port: number, isLocal, host };
  const isAny = host === "0.0.0.0" || host === "::";
  return { addresses: [host], names: isAny ? ["localhost", ...ownAddresses()] : [host], port: number, isLocal, host };
}

/** Every address of this machine: all of them are listened on. */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address.split("%")[0] ?? ""),
  );
}
