/** The host names and origins that may call a server, each with its port. */
export type Address = {
  /** The accepted `Host` headers: `localhost:4319`. */
  readonly hosts: ReadonlySet<string>;
  /** The accepted `Origin` headers: `http://localhost:4319`. */
  readonly origins: ReadonlySet<string>;
};

/** The loopback addresses; a server listens on all of them, or another program could take the rest. */
export const loopback: readonly string[] = ["127.0.0.1", "::1"];

/** Builds the address of a server from its names, port and public URL. */
export function addressOf(names: readonly string[], port: number, publicUrl?: URL): Address {
  const urls = [...names.map((name) => new URL(`http://${asHost(name)}:${port}`)), ...(publicUrl ? [publicUrl] : [])];
  return {
    // URLs and both headers leave out a default port.
    hosts: new Set(urls.map(({ host }) => host)),
    origins: new Set(urls.map(({ origin }) => origin)),
  };
}

function asHost(name: string): string {
  return name.includes(":") ? `[${name}]` : name;
}
