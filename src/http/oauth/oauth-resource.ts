import { createHash } from "node:crypto";
import { getOAuthProtectedResourceMetadataUrl } from "@modelcontextprotocol/server";
import { json } from "../json-response.ts";
import type { Principal } from "../principal.ts";
import { refusal } from "../refusal-response.ts";
import { type Issuer, openIssuer } from "./issuer.ts";
import { type RoleRule, roleOfClaims } from "./roles-file.ts";

/** The options of accepting an issuer's tokens. */
export type OauthOptions = {
  readonly issuer: string;
  /** The audience that tokens must name; by default the address of `/mcp`. */
  readonly audience?: string;
  readonly roles?: readonly RoleRule[];
};

/** The server as a resource that an issuer's tokens give access to. */
export type OauthResource = {
  readonly issuer: Issuer;
  readonly audience: string;
  /** Finds the owner of a token, or refuses it. */
  identify(token: string): Promise<Principal | { readonly refused: Response }>;
  /** The metadata of RFC 9728, at its addresses. */
  answer(request: Request): Promise<Response | undefined>;
  /** The parameter of `WWW-Authenticate` that leads a client to the issuer. */
  readonly challenge: string;
};

/** Accepts an issuer's access tokens; `origin` is the server's address for people. */
export function oauthResource({ issuer: url, roles, ...options }: OauthOptions, origin: string): OauthResource {
  const resource = `${origin}/mcp`;
  const audience = options.audience ?? resource;
  const issuer = openIssuer(url, audience);
  const known = new Map<string, { readonly principal: Principal; readonly until: number }>();
  const challenge = `resource_metadata="${getOAuthProtectedResourceMetadataUrl(new URL(resource))}"`;
  return {
    issuer,
    audience,
    challenge,
    async identify(token) {
      const key = createHash("sha256").update(token).digest("base64");
      const cached = known.get(key);
      if (cached !== undefined && cached.until > Date.now()) return cached.principal;
      const verified = await issuer.verify(token);
      if ("unreachable" in verified)
        return {
          refused: refusal(503, "unavailable", "The issuer of sign-ins does not respond. Send the same call again.", {
            "retry-after": "2",
          }),
        };
      if ("invalid" in verified) return { refused: invalidToken(challenge) };
      const { claims } = verified;
      const given = roleOfClaims(claims, roles);
      if (given === undefined)
        return { refused: refusal(403, "forbidden", "Your sign-in has no role on this server. Ask its operator.") };
      const principal: Principal = { id: subjectId(url, claims.sub ?? ""), name: nameOf(claims), ...given };
      if (known.size >= mostKnown) known.clear();
      known.set(key, { principal, until: Math.min((claims.exp ?? 0) * 1000, Date.now() + knownMs) });
      return principal;
    },
    async answer(request) {
      const { pathname } = new URL(request.url);
      const isAsked =
        pathname === wellKnown || pathname === `${wellKnown}/mcp` || pathname.startsWith(`${wellKnown}/mcp/`);
      if (!isAsked || request.method !== "GET") return undefined;
      const isAddress = audience.startsWith(`${origin}/`);
      const { scopes_supported: scopes } = await issuer.metadata().catch(() => ({ scopes_supported: [] }));
      // an issuer may refuse a sign-in that asks for nothing; this scope names the person and gives no right
      const asked = Array.isArray(scopes) && scopes.includes("openid") ? { scopes_supported: ["openid"] } : {};
      return json({
        resource: isAddress ? audience : resource,
        authorization_servers: [url],
        ...asked,
        bearer_methods_supported: ["header"],
        resource_name: "Waymark",
      });
    },
  };
}

const wellKnown = "/.well-known/oauth-protected-resource";

/** The milliseconds for which a verified token is not verified again. */
const knownMs = 60_000;
const mostKnown = 2000;

/** The principal of an issuer's subject; renewing the token does not change it. */
function subjectId(issuer: string, subject: string): string {
  return `oauth.${createHash("sha256")
    .update(JSON.stringify([issuer, subject]))
    .digest("hex")
    .slice(0, 24)}`;
}

/** The name that people know a subject by. */
function nameOf(claims: Readonly<Record<string, unknown>>): string {
  const [found] = ["preferred_username", "email", "name", "client_id", "sub"].flatMap((name) => {
    const value = claims[name];
    return typeof value === "string" && value !== "" ? [value] : [];
  });
  return (found ?? "someone")
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, 64);
}

/** Refuses a token without naming a scope, because a client would request it. */
function invalidToken(challenge: string): Response {
  return refusal(401, "forbidden", "This token is not valid. Sign in again.", {
    "www-authenticate": `Bearer realm="waymark", error="invalid_token", ${challenge}`,
  });
}
