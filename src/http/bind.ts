import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { loopback } from "./address.ts";

/** The addresses, port and names of a server. */
export type Bind = {
  readonly addresses: readonly string[];
  readonly names: readonly string[];
  readonly port: number;
  /** True if only this machine can reach it. */
  readonly isLocal: boolean;
  readonly host: string;
};

const defaultBind = { host: "127.0.0.1", port: 4319 };

/** Parses HOST:PORT, either of which may be missing; returns undefined if invalid. */
export function parseBind(written: string): Bind | undefined {
  const [, inBrackets, name, port] = /^(?:\[([^\]]+)\]|([^:[\]]*))?(?::(\d{1,5}))?$/.exec(written) ?? [null];
  const isPort = inBrackets === undefined && port === undefined && /^\d{1,5}$/.test(name ?? "");
  const number = Number(isPort ? name : (port ?? defaultBind.port));
  const host = (isPort ? "" : (inBrackets ?? name ?? "")) || defaultBind.host;
  const isHost = isIP(host) > 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(host);
  if (!(number <= 65_535) || !isHost || /^(?:\[([^\]]+)\]|([^:[\]]*))?(?::(\d{1,5}))?$/.test(written) === false)
    return undefined;
  const isLocal = host === "localhost" || loopback.includes(host);
  if (isLocal) return { addresses: loopback, names: ["localhost", ...loopback], port: number, isLocal, host };
  const isAny = host === "0.0.0.0" || host === "::";
  return { addresses: [host], names: isAny ? ["localhost", ...ownAddresses()] : [host], port: number, isLocal, host };
}

/** Lists every address of this machine. */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address.split("%")[0] ?? ""),
  );
}
