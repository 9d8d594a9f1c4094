/** What every answer says: nothing of it is kept, guessed at, framed, or read by a page of somebody else. No header of CORS is ever sent. */
const always: Readonly<Record<string, string>> = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Of data: it is not a page, whatever it looks like. */
export const jsonHeaders: Readonly<Record<string, string>> = {
  ...always,
  "content-type": "application/json; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
};

/** Of a page and its parts: scripts and styles come from this server's own files only, nothing stands inline, and texts never become markup. */
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
