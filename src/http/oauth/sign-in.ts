import * as oauth from "oauth4webapi";
import { type Role, roles } from "../../engine/ports/team.ts";
import { once } from "../../kit/once.ts";
import type { Identify } from "../identity.ts";
import type { Principal } from "../principal.ts";
import { refusal } from "../refusal-response.ts";
import type { OauthResource } from "./oauth-resource.ts";
import { cookieOf, readSigned, signValue } from "./signed-cookie.ts";

/** Signs people in to the dashboard by the issuer of the tools' tokens. */
export type SignIn = {
  /** Answers `/signin` and what belongs to it. */
  answer(request: Request): Promise<Response | undefined>;
  /** Identifies a page of the dashboard by its cookie, and anyone else as usual. */
  identify: Identify;
};

export type SignInDeps = {
  readonly resource: OauthResource;
  readonly client: string;
  /** The client's secret; a public client has none. */
  readonly secret?: string;
  readonly origin: string;
  /** A key that all replicas share. */
  key(): Promise<Buffer>;
  readonly identify: Identify;
};

/** The names of the cookies: of a sign-in under way, and of one that is done. Scripts read neither. */
const [started, done] = ["waymark_signin", "waymark_session"];

/** The milliseconds that a sign-in may take, and that one holds at most. */
const [startedMs, doneMs] = [10 * 60_000, 3_600_000];

/** The authorization code flow with PKCE, from the dashboard to the issuer and back. */
export function signIn({ resource, client: id, secret, origin, identify, ...deps }: SignInDeps): SignIn {
  const key = once(deps.key);
  const redirect = `${origin}/signin/callback`;
  const client: oauth.Client = { client_id: id };
  const isSecure = origin.startsWith("https:");
  const allowed = { [oauth.allowInsecureRequests]: new URL(resource.issuer.url).protocol === "http:" };
  const server = async (): Promise<oauth.AuthorizationServer> =>
    (await resource.issuer.metadata()) as unknown as oauth.AuthorizationServer;
  const cookie = (name: string, value: string, ms: number, site: "Lax" | "Strict"): string =>
    `${name}=${value}; Path=/; HttpOnly; SameSite=${site}; Max-Age=${Math.floor(ms / 1000)}${isSecure ? "; Secure" : ""}`;

  async function begin(): Promise<Response> {
    const { authorization_endpoint: place } = await server();
    const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
    const to = new URL(place ?? "");
    const asked = {
      ...{
        client_id: id,
        redirect_uri: redirect,
        response_type: "code",
        scope: "openid",
        state,
        resource: resource.audience,
      },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    };
    for (const [name, value] of Object.entries(asked)) to.searchParams.set(name, value);
    const kept = signValue(await key(), "sign-in", { verifier, state }, Date.now() + startedMs);
    return redirected(to.href, [cookie(started, kept, startedMs, "Lax")]);
  }

  async function finish(request: Request): Promise<Response> {
    const begun = readSigned(await key(), "sign-in", cookieOf(request, started));
    if (begun === undefined) return refusal(400, "invalid_input", "This sign-in has expired. Begin again at /signin.");
    const issuer = await server();
    let token: string;
    try {
      const params = oauth.validateAuthResponse(issuer, client, new URL(request.url), String(begun.state));
      const authentication = secret === undefined ? oauth.None() : oauth.ClientSecretPost(secret);
      const answer = await oauth.authorizationCodeGrantRequest(
        issuer,
        client,
        authentication,
        params,
        redirect,
        String(begun.verifier),
        {
          ...allowed,
          additionalParameters: { resource: resource.audience },
        },
      );
      token = (await oauth.processAuthorizationCodeResponse(issuer, client, answer)).access_token;
    } catch {
      return refusal(401, "forbidden", "The issuer did not complete this sign-in. Begin again at /signin.");
    }
    const who = await resource.identify(token);
    if ("refused" in who) return who.refused;
    const { name = "", role = "viewer", project } = who;
    const until = Date.now() + doneMs;
    const session = signValue(await key(), "session", { id: who.id, name, role, project }, until);
    return redirected("/", [cookie(done, session, doneMs, "Strict"), cookie(started, "", 0, "Lax")]);
  }

  return {
    async answer(request) {
      const { pathname } = new URL(request.url);
      if (!/^\/sign(?:in(?:\/callback|\/offered)?|out)$/.test(pathname)) return undefined;
      try {
        if (pathname === "/signin/offered") return new Response(null, { status: 204 });
        if (pathname === "/signout") return redirected("/", [cookie(done, "", 0, "Strict")]);
        return pathname === "/signin" ? await begin() : await finish(request);
      } catch {
        return refusal(503, "unavailable", "The issuer of sign-ins does not respond. Try again in a moment.");
      }
    },
    async identify(request) {
      const kept = request.headers.has("authorization")
        ? undefined
        : readSigned(await key(), "session", cookieOf(request, done));
      return kept === undefined ? identify(request) : principalOf(kept);
    },
  };
}

function principalOf({ id, name, role, project }: Readonly<Record<string, unknown>>): Principal {
  const known: Role = roles.find((one) => one === role) ?? "viewer";
  return { id: String(id), name: String(name), role: known, project: typeof project === "string" ? project : null };
}

function redirected(to: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location: to, "cache-control": "no-store", "referrer-policy": "no-referrer" });
  for (const one of cookies) headers.append("set-cookie", one);
  return new Response(null, { status: 303, headers });
}
