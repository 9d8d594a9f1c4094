import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
// @ts-expect-error it comes without types
import Provider from "oidc-provider";
import { onTestFinished } from "vitest";
import { makeProject } from "../project.ts";
import { startServer } from "./server.ts";

/** A real issuer: oidc-provider, with people who sign in by their name alone. */
export type TestIssuer = {
  readonly url: string;
  /** A token as its client credentials grant gives it. */
  token(client?: string): Promise<string>;
  /** Makes a token with its newest key, whatever it says. */
  forge(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  /** Signs with a new key from now on; the old one goes. */
  rotate(): Promise<void>;
  readonly publicKey: () => JWK;
  stop(): Promise<void>;
  start(): Promise<void>;
};

/** Starts an issuer whose access tokens are for this audience. */
export async function startIssuer(audience: string, redirects: readonly string[] = []): Promise<TestIssuer> {
  let port = 0;
  let keys = await newKey();
  let server: Server | undefined;
  const listen = (): Promise<void> =>
    new Promise((done) => {
      server = createServer((request, response) => handler?.(request, response));
      server.listen(port, "127.0.0.1", () => {
        port = ((server as Server).address() as AddressInfo).port;
        done();
      });
    });
  let handler: import("node:http").RequestListener | undefined;
  await listen();
  const url = `http://127.0.0.1:${port}`;
  const open = (): void => {
    const provider = new Provider(url, {
      ttl: {
        AccessToken: 600,
        ClientCredentials: 600,
        Grant: 600,
        IdToken: 600,
        Interaction: 600,
        RefreshToken: 600,
        Session: 600,
      },
      clientDefaults: { id_token_signed_response_alg: "ES256" },
      jwks: { keys: [keys.jwk] } as never,
      clients: [
        {
          client_id: "robot",
          client_secret: "secret",
          grant_types: ["client_credentials"],
          redirect_uris: [],
          response_types: [],
        },
        {
          client_id: "dashboard",
          token_endpoint_auth_method: "none",
          redirect_uris: [...redirects],
          grant_types: ["authorization_code"],
          response_types: ["code"],
        },
      ],
      features: {
        clientCredentials: { enabled: true },
        devInteractions: { enabled: true },
        registration: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => audience,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: "",
            audience,
            accessTokenFormat: "jwt",
            accessTokenTTL: 600,
            jwt: { sign: { alg: "ES256" } },
          }),
        },
      },
      findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
      extraTokenClaims: (_: unknown, token: { accountId?: string }) => ({
        groups: [token.accountId ?? "robots"],
        preferred_username: token.accountId ?? "robot",
      }),
      pkce: { required: () => true },
      clientBasedCORS: () => true,
    } as never);
    handler = provider.callback();
  };
  open();
  const stop = (): Promise<void> =>
    new Promise((done) => {
      server?.closeAllConnections();
      server?.close(() => done());
    });
  onTestFinished(stop);
  return {
    url,
    async token(client = "robot") {
      const body = new URLSearchParams({ grant_type: "client_credentials", resource: audience });
      const authorization = `Basic ${Buffer.from(`${client}:secret`).toString("base64")}`;
      const answer = await fetch(`${url}/token`, { method: "POST", body, headers: { authorization } });
      return ((await answer.json()) as { access_token: string }).access_token;
    },
    forge: (claims, header = {}) =>
      new SignJWT({ iss: url, aud: audience, sub: "robot", ...claims })
        .setProtectedHeader({ alg: "ES256", kid: keys.jwk.kid ?? "", typ: "at+jwt", ...header })
        .sign(keys.privateKey),
    async rotate() {
      keys = await newKey();
      open();
    },
    publicKey: () => keys.publicJwk,
    stop,
    start: listen,
  };
}

async function newKey() {
  const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
  const kid = `key-${Math.random().toString(36).slice(2)}`;
  const about = { kid, alg: "ES256", use: "sig" };
  return {
    privateKey,
    jwk: { ...(await exportJWK(privateKey)), ...about },
    publicJwk: { ...(await exportJWK(publicKey)), ...about },
  };
}

/** Keeps a free port until it is needed, so that nothing else of the test gets it. */
async function keepPort(): Promise<{ readonly port: number; free(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return { port, free: () => new Promise((done) => server.close(() => done())) };
}

/** A server that accepts the tokens of a real issuer. */
export async function servedWithIssuer(roles?: unknown) {
  const { port, free } = await keepPort();
  const origin = `http://127.0.0.1:${port}`;
  const project = makeProject();
  if (roles !== undefined) project.write("roles.json", roles);
  const issuer = await startIssuer(`${origin}/mcp`, [`${origin}/signin/callback`]);
  await free();
  const server = await startServer(project.root, {
    http: `127.0.0.1:${port}`,
    oauthIssuer: issuer.url,
    oauthClient: "dashboard",
    ...(roles === undefined ? {} : { oauthRoles: project.path("roles.json") }),
  });
  return { origin, issuer, server, project };
}
