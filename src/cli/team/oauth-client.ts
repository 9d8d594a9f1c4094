import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import {
  auth,
  discoverAuthorizationServerMetadata,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
} from "@modelcontextprotocol/client";
import { keepSignIn, readSignIn } from "../../app/remote-sign-in.ts";
import { defined } from "../../kit/defined.ts";
import { openPage } from "../terminal/open-browser.ts";
import { UserError } from "../terminal/user-error.ts";

type Kept = { client?: OAuthClientInformationMixed; tokens?: OAuthTokens; expires?: number; redirect?: string };

/** The issuer at which people sign in to a server; undefined if it has none. */
export async function discoverIssuer(url: URL): Promise<string | undefined> {
  const response = await fetch(new URL(`/.well-known/oauth-protected-resource${url.pathname}`, url));
  if (!response.ok) return undefined;
  const { authorization_servers: servers } = (await response.json()) as Record<string, unknown>;
  return Array.isArray(servers) ? String(servers[0]) : undefined;
}

/** The access token of a sign-in, renewed when it is about to expire. */
export async function accessToken(url: URL): Promise<string | undefined> {
  const { tokens, expires = 0 } = keptFor(url);
  if (tokens === undefined || expires > Date.now() + 30_000 || tokens.refresh_token === undefined)
    return tokens?.access_token;
  await renewToken(url);
  return keptFor(url).tokens?.access_token;
}

/** Renews the access token; leaves the old one if the issuer does not answer. */
export async function renewToken(url: URL): Promise<void> {
  const { tokens, redirect } = keptFor(url);
  if (tokens?.refresh_token === undefined) return;
  await auth(
    providerFor(url, redirect ?? "http://127.0.0.1/", () => undefined),
    { serverUrl: url },
  ).catch(() => undefined);
}

/** The scopes to ask for, as far as the issuer knows them: none says what a person may do here, one lets the sign-in be renewed. */
async function scopesOf(issuer: string): Promise<string | undefined> {
  const { scopes_supported: known = [] } =
    (await discoverAuthorizationServerMetadata(issuer).catch(() => undefined)) ?? {};
  const asked = ["openid", "offline_access"].filter((one) => known.includes(one));
  return asked.length === 0 ? undefined : asked.join(" ");
}

/** Sends the person to the issuer and keeps what it returns. */
export async function signInInBrowser(url: URL, issuer: string, say: (line: string) => void): Promise<void> {
  const state = randomBytes(16).toString("base64url");
  const [returned, scope] = await Promise.all([listenForCode(state), scopesOf(issuer)]);
  try {
    const provider = providerFor(
      url,
      returned.redirect,
      (to) => {
        say(`Sign in here: ${to.href}`);
        openPage(to.href);
      },
      state,
    );
    if ((await auth(provider, { serverUrl: url, ...defined({ scope }) })) === "AUTHORIZED") return;
    const { code, iss } = await returned.code;
    await auth(provider, { serverUrl: url, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
  } finally {
    returned.close();
  }
}

function keptFor(url: URL): Kept {
  return (readSignIn(url)?.oauth ?? {}) as Kept;
}

/** The OAuth client of the SDK, with its state in the person's own folder. */
function providerFor(url: URL, redirect: string, open: (to: URL) => void, state = ""): OAuthClientProvider {
  let verifier = "";
  const keep = (more: Kept): void => keepSignIn(url, { oauth: { ...keptFor(url), ...more, redirect } });
  return {
    redirectUrl: redirect,
    clientMetadata: {
      client_name: "Waymark",
      redirect_uris: [redirect],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: () => state,
    clientInformation: () => (keptFor(url).redirect === redirect ? keptFor(url).client : undefined),
    saveClientInformation: (client) => keep({ client }),
    tokens: () => keptFor(url).tokens,
    saveTokens: (tokens) => keep({ tokens, expires: Date.now() + 1000 * (tokens.expires_in ?? 3600) }),
    redirectToAuthorization: open,
    saveCodeVerifier: (code) => {
      verifier = code;
    },
    codeVerifier: () => verifier,
  };
}

/** Listens on this machine for the browser's return; only the answer to this sign-in counts. */
async function listenForCode(state: string) {
  let arrived: (found: { code: string; iss?: string }) => void = () => undefined;
  let failed: (fault: Error) => void = () => undefined;
  const code = new Promise<{ code: string; iss?: string }>((resolve, reject) => {
    [arrived, failed] = [resolve, reject];
  });
  code.catch(() => undefined);
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    const given = searchParams.get("code");
    const isOurs = same(searchParams.get("state") ?? "", state);
    response.writeHead(isOurs ? 200 : 400, { "content-type": "text/plain; charset=utf-8" });
    response.end(
      isOurs && given !== null
        ? "Signed in. You can close this page.\n"
        : "This sign-in did not work. Go back to the terminal.\n",
    );
    if (!isOurs) return;
    const iss = searchParams.get("iss");
    if (given === null) failed(new UserError(`The issuer refused: ${searchParams.get("error") ?? "no reason given"}.`));
    else arrived({ code: given, ...(iss === null ? {} : { iss }) });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const late = setTimeout(
    () => failed(new UserError("The sign-in was not completed within five minutes. Run it again.")),
    300_000,
  );
  const address = server.address();
  return {
    redirect: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`,
    code,
    close() {
      clearTimeout(late);
      server.close();
      server.closeAllConnections();
    },
  };
}

function same(one: string, other: string): boolean {
  const [given, right] = [Buffer.from(one), Buffer.from(other)];
  return given.length === right.length && timingSafeEqual(given, right);
}
