import type { Address } from "./address.ts";
import { refusal } from "./refusal-response.ts";

/** The host and origin headers of a request. */
export type Sender = { readonly host: string | undefined; readonly origin: string | undefined };

/**
 * Refuses a request sent to another name or by another site's page, which could otherwise reach a server on loopback.
 */
export function refuseForeign(address: Address, { host, origin }: Sender): Response | undefined {
  if (host === undefined || !address.hosts.has(host.toLowerCase()))
    return refusal(
      421,
      "forbidden",
      `This server is not ${quoted(host)}. Use ${inWords(address.hosts)}.`,
      {},
      "The Host header names another server.",
    );
  if (origin !== undefined && !address.origins.has(origin.toLowerCase()))
    return refusal(
      403,
      "forbidden",
      `Pages of ${quoted(origin)} may not call this server.`,
      {},
      "The Origin header names a page of another server.",
    );
  return undefined;
}

/** Refuses a write that did not come as JSON from a page of this server. */
export function refuseForeignWrite(address: Address, { headers }: Request): Response | undefined {
  const origin = headers.get("origin");
  if (origin === null || !address.origins.has(origin.toLowerCase()))
    return refusal(403, "forbidden", "Only pages of this server may send this request.");
  if (headers.get("sec-fetch-site") !== "same-origin")
    return refusal(403, "forbidden", "Only a browser on a page of this server may send this request.");
  if (!/^application\/json(;|$)/i.test(headers.get("content-type") ?? ""))
    return refusal(415, "invalid_input", "Send this as application/json.");
  return undefined;
}

/** Refuses a read that a browser sent for another site's page; other programs send no such header. */
export function refuseForeignRead({ headers }: Request): Response | undefined {
  const site = headers.get("sec-fetch-site");
  if (site === null || site === "same-origin" || site === "none") return undefined;
  return refusal(403, "forbidden", "Only pages of this server may send this request.");
}

function quoted(name: string | undefined): string {
  return name === undefined ? "nothing" : JSON.stringify(name.slice(0, 100));
}

function inWords(names: ReadonlySet<string>): string {
  return [...names].join(" or ");
}
