import { keepSignIn } from "../../app/remote-sign-in.ts";
import { print } from "../terminal/print.ts";
import { openTerminal } from "../terminal/terminal.ts";
import { UserError } from "../terminal/user-error.ts";
import { discoverIssuer, signInInBrowser } from "./oauth-client.ts";

/** Signs a person in at a team server: in the browser where it has an issuer, otherwise with a token that they paste. */
export async function login(url: URL): Promise<void> {
  const found = await discoverIssuer(url).catch(() => {
    throw new UserError(`The team server at ${url.origin} can't be reached. Check the address, and try again.`);
  });
  const terminal = openTerminal("Signing in needs a terminal. In CI, set WAYMARK_TOKEN.");
  try {
    const isBrowser =
      found !== undefined &&
      !/^t/i.test(await terminal.ask(`Sign in at ${found} in the browser, or with a token? [Browser/token] `));
    if (isBrowser) await signInInBrowser(url, found, (line) => terminal.say(line));
    else {
      const token = (await terminal.askSecret(`Token for ${url.href}: `)).trim();
      if (token === "") throw new UserError("No token was given. Nothing was kept.");
      await tryToken(url, token);
      keepSignIn(url, { token });
    }
  } finally {
    terminal.close();
  }
  print(`Signed in at ${url.href}. The sign-in is kept in your own state folder, readable only by you.`);
}

/** Asks the server for something harmless, so that a mistyped token is not kept. */
async function tryToken(url: URL, token: string): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  const { status } = await fetch(url, {
    method: "POST",
    headers,
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
  });
  if (status === 401) throw new UserError("The server does not know this token. Nothing was kept.");
  if (status === 404)
    throw new UserError(`The server has no project at ${url.pathname} for this token. Nothing was kept.`);
}
