/** The names under which a server may be called, and the pages that may call it; both with their port. */
export type Address = {
  /** As the header `Host` says it: `localhost:4319`. */
  readonly hosts: ReadonlySet<string>;
  /** As the header `Origin` says it: `http://localhost:4319`. */
  readonly origins: ReadonlySet<string>;
};

/** The addresses that this machine alone reaches: a server listens on all of them, or a stranger could take the rest. */
export const loopback: readonly string[] = ["127.0.0.1", "::1"];

/** The address of a server on this port that is called by these names, and at the URL that people use where it has one. */
export function addressOf(names: readonly string[], port: number, publicUrl?: URL): Address {
  const urls = [...names.map((name) => new URL(`http://${asHost(name)}:${port}`)), ...(publicUrl ? [publicUrl] : [])];
  return {
    // A port that goes without saying is left out of a URL, and browsers leave it out of both headers.
    hosts: new Set(urls.map(({ host }) => host)),
    origins: new Set(urls.map(({ origin }) => origin)),
  };
}

function asHost(name: string): string {
  return name.includes(":") ? `[${name}]` : name;
}
