import type { AuthProvider } from "@modelcontextprotocol/client";
import { readSignIn, tokenFor } from "../../app/remote-sign-in.ts";

/** The sign-in of this person at a server, read at each use so that a renewed one counts at once. */
export function openSignIn(url: URL): { token(): Promise<string | undefined>; readonly authProvider: AuthProvider } {
  const token = async (): Promise<string | undefined> => {
    const signIn = readSignIn(url);
    if (signIn?.oauth === undefined) return tokenFor(url);
    return (await import("./oauth-client.ts")).accessToken(url);
  };
  const onUnauthorized = async (): Promise<void> => {
    if (readSignIn(url)?.oauth !== undefined) await (await import("./oauth-client.ts")).renewToken(url);
  };
  return { token, authProvider: { token, onUnauthorized } };
}
