import { plainHooks } from "./hook-parts.ts";
import type { FilePart, HostFile, Settings } from "./host.ts";

/** A JSON file with the server's entry under the host's key, and more of our parts. */
export function serverFile(path: string, under: string, entry: Settings, parts: readonly FilePart[] = []): HostFile {
  return { path, syntax: "json", parts: [{ kind: "server", under, entry }, ...parts] };
}

/** A JSON file of hooks in plain lists, with the version of its form. */
export function plainHooksFile(
  path: string,
  events: readonly string[],
  handler: (event: string) => Settings,
): HostFile {
  const version = { kind: "setting", at: ["version"], value: 1, form: true } as const;
  return { path, syntax: "json", parts: [version, ...plainHooks(events, handler)] };
}
