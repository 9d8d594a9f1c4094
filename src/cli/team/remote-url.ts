import { UserError } from "../terminal/user-error.ts";

/** Reads the address of a team server's tools: `https://host`, `https://host/mcp` or `https://host/mcp/PROJECT`. */
export function remoteUrl(written: string, project?: string): URL {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UserError(`${written} is not the address of a team server, such as https://waymark.example.com/mcp.`);
  if (url.protocol === "http:" && !isLoopback(url.hostname))
    throw new UserError(`${written} would send your token unencrypted. Use https, or a server on this machine.`);
  url.hash = "";
  url.search = "";
  if (/^\/*$/.test(url.pathname)) url.pathname = "/mcp";
  if (project !== undefined) url.pathname = `/mcp/${project}`;
  if (!/^\/(?:[^/]+\/)*mcp(?:\/[^/]+)?\/?$/.test(url.pathname))
    throw new UserError(`${written} must end in /mcp or /mcp/PROJECT.`);
  return url;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\./.test(host);
}
