import type { Address } from "./address.ts";
import { refusal } from "./refusal.ts";

/** What a request says of where it was sent, and from which page. */
export type Sender = { readonly host: string | undefined; readonly origin: string | undefined };

/**
 * The no to a request that was meant for somebody else, or was sent by somebody else's page; nothing where it may come in.
 * A name that leads here without being ours is how a page elsewhere reaches a server on loopback.
 */
export function turnedAway(address: Address, { host, origin }: Sender): Response | undefined {
  if (host === undefined || !address.hosts.has(host.toLowerCase()))
    return refusal(421, "forbidden", `This server is not called ${shown(host)}. Call it ${inWords(address.hosts)}.`);
  if (origin !== undefined && !address.origins.has(origin.toLowerCase()))
    return refusal(403, "forbidden", `A page of ${shown(origin)} may not call this server.`);
  return undefined;
}

/** The no to a request that would change something and did not come from a page of this very server, as JSON. */
export function writeTurnedAway(address: Address, { headers }: Request): Response | undefined {
  const origin = headers.get("origin");
  if (origin === null || !address.origins.has(origin.toLowerCase()))
    return refusal(403, "forbidden", "Only a page of this server may ask for this.");
  if (headers.get("sec-fetch-site") !== "same-origin")
    return refusal(403, "forbidden", "Only a browser on a page of this server may ask for this.");
  if (!/^application\/json(;|$)/i.test(headers.get("content-type") ?? ""))
    return refusal(415, "invalid_input", "Send this as application/json.");
  return undefined;
}

/** The no to a request for data that a browser sent on behalf of somebody else's page; other programs do not say where they stand. */
export function readTurnedAway({ headers }: Request): Response | undefined {
  const site = headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return undefined;
  return refusal(403, "forbidden", "Only a page of this server may ask for this.");
}

function shown(name: string | undefined): string {
  return name === undefined ? "nothing" : JSON.stringify(name.slice(0, 100));
}

function inWords(names: ReadonlySet<string>): string {
  return [...names].join(" or ");
}
