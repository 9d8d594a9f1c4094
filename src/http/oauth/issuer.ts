import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";
import { isObject } from "../../kit/json.ts";

/** The metadata of an issuer. */
export type IssuerMetadata = { readonly issuer: string; readonly jwks_uri: string } & Readonly<Record<string, unknown>>;

/** A verified token, a token that is not valid, or an issuer that does not answer. */
export type Verified =
  | { readonly claims: JWTPayload }
  | { readonly invalid: string }
  | { readonly unreachable: string };

/** An OAuth issuer whose access tokens are accepted. */
export type Issuer = {
  readonly url: string;
  /** Its metadata; rejects if it does not answer. */
  metadata(): Promise<IssuerMetadata>;
  verify(token: string): Promise<Verified>;
};

/** Opens an issuer; its metadata and keys are fetched at the first token, and its keys again when it rotates them. */
export function openIssuer(url: string, audience: string): Issuer {
  let known: Promise<IssuerMetadata> | undefined;
  let keys: ReturnType<typeof createRemoteJWKSet> | undefined;
  const metadata = (): Promise<IssuerMetadata> => {
    known ??= fetchMetadata(url).catch((fault: unknown) => {
      known = undefined; // the next token asks again
      throw fault;
    });
    return known;
  };
  return {
    url,
    metadata,
    async verify(token) {
      try {
        const { jwks_uri: place } = await metadata();
        keys ??= createRemoteJWKSet(new URL(place), { cooldownDuration: 1000, timeoutDuration: 5000 });
        const { payload } = await jwtVerify(token, keys, {
          issuer: url,
          audience,
          algorithms: [...algorithms],
          clockTolerance: skewSeconds,
          requiredClaims: ["sub", "exp"],
        });
        return { claims: payload };
      } catch (fault) {
        if (isTokensFault(fault)) return { invalid: fault.message };
        return { unreachable: fault instanceof Error ? fault.message : String(fault) };
      }
    },
  };
}

/** Only signatures of a key pair: a program that can verify a token must not be able to make one. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
] as const;

/** The seconds by which the issuer's clock may differ. */
const skewSeconds = 30;

/** Tells if a token is to blame, not the way to its issuer's keys. */
function isTokensFault(fault: unknown): fault is Error {
  return (
    fault instanceof errors.JOSEError &&
    fault.code !== "ERR_JOSE_GENERIC" &&
    fault.code !== "ERR_JWKS_TIMEOUT" &&
    fault.code !== "ERR_JWKS_INVALID"
  );
}

/** Fetches the metadata in the form of OpenID Connect or of OAuth; it must name this very issuer. */
async function fetchMetadata(issuer: string): Promise<IssuerMetadata> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, "");
  const places = [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
  let last: unknown;
  for (const place of places) {
    try {
      const response = await fetch(place, { signal: AbortSignal.timeout(5000), redirect: "error" });
      const found: unknown = response.ok ? await response.json() : undefined;
      if (isObject(found) && found.issuer === issuer && typeof found.jwks_uri === "string")
        return found as IssuerMetadata;
      last = new Error(`${place} does not describe the issuer ${issuer}`);
    } catch (fault) {
      last = fault;
    }
  }
  throw last;
}
