/** The headers of every response: no caching, sniffing, framing or foreign readers; no CORS header is ever sent. */
const always: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** The headers of data, which browsers must not render as a page. */
export const jsonHeaders: Readonly<Record<string, string>> = {
  ...always,
  "content-type": "application/json; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** The headers of the page: scripts and styles only from this server, nothing inline. */
export function pageHeaders(contentType: string): Readonly<Record<string, string>> {
  return { ...always, "content-type": contentType, "content-security-policy": pagePolicy };
}

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");
