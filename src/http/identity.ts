import { setTimeout as wait } from "node:timers/promises";
import type { Token, TokenList, Tokens } from "../engine/ports/team.ts";
import type { OauthResource } from "./oauth/oauth-resource.ts";
import { anonymous, type Principal } from "./principal.ts";
import { refusal } from "./refusal-response.ts";
import { bearerOf } from "./token.ts";
import { hashToken, looksLikeToken } from "./token-record.ts";

/** Identifies the caller, or refuses the request. */
export type Identify = (request: Request) => Promise<Principal | { readonly refused: Response }>;

/** The milliseconds for which a token list is cached, so that a revoked token stops within a second. */
const cacheMs = 500;

/** The milliseconds for which an unknown token is cached: a new token counts soon, and guessing does not load the store. */
const unknownCacheMs = 50;

/** The dependencies of identifying callers. */
export type IdentityDeps = {
  readonly tokens: Pick<Tokens, "list">;
  /** True if every call needs a token from the start. */
  readonly isClosed: boolean;
  readonly clock?: () => number;
  /** Notes that a token was used. */
  readonly used?: (token: Token) => void;
  /** Accepts an issuer's tokens as well. */
  readonly oauth?: () => Pick<OauthResource, "identify" | "challenge">;
};

/** Tells if there is or was a token; an unreadable entry may have been one. */
export function hasToken({ tokens, unreadable }: TokenList): boolean {
  return tokens.length > 0 || unreadable > 0;
}

/**
 * Identifies callers by token. An open server accepts local callers until it sees a token; from then on each call needs one, even if the list is lost.
 */
export function identifyByToken({ tokens, isClosed, clock = Date.now, used, oauth }: IdentityDeps): Identify {
  let needsToken = isClosed;
  let known: { readonly at: number; readonly tokens: Promise<readonly Token[]> } | undefined;
  /** The pending request for the token list, shared by all who wait for it. */
  let asking: Promise<readonly Token[]> | undefined;
  const ask = async (): Promise<readonly Token[]> => {
    const listed = await tokens.list();
    needsToken ||= hasToken(listed);
    return listed.tokens;
  };
  const listAgain = (): Promise<readonly Token[]> => {
    const rest = unknownCacheMs - (clock() - (known?.at ?? 0));
    asking ??= wait(Math.max(rest, 0)).then(() => {
      asking = undefined;
      return list(0);
    });
    return asking;
  };
  const list = (trusted: number): Promise<readonly Token[]> => {
    if (known === undefined || clock() - known.at >= trusted) {
      const asked = { at: clock(), tokens: ask() };
      known = asked;
      // A failure is not cached: the next caller asks again.
      asked.tokens.catch(() => {
        if (known === asked) known = undefined;
      });
    }
    return known.tokens;
  };
  return async (request) => {
    const bearer = bearerOf(request);
    if (bearer !== undefined && !looksLikeToken(bearer) && oauth !== undefined) return oauth().identify(bearer);
    const find = (all: readonly Token[], secret: string): Token | undefined => findToken(all, secret, clock());
    let all: readonly Token[];
    try {
      all = await list(cacheMs);
      if (bearer !== undefined && find(all, bearer) === undefined) all = await listAgain();
    } catch {
      return { refused: storeUnavailable() };
    }
    if (!needsToken) return anonymous;
    if (bearer === undefined)
      return {
        refused: unknownCaller("This server needs a token. Send it as Authorization: Bearer.", oauth?.().challenge),
      };
    const token = find(all, bearer);
    if (token === undefined)
      return { refused: unknownCaller("This token is unknown, expired or revoked.", oauth?.().challenge) };
    used?.(token);
    const { name, role, project, hash, follows = hash } = token;
    return { id: `${name}.${follows.slice(0, 12)}`, name, role, project };
  };
}

function findToken(all: readonly Token[], bearer: string, now: number): Token | undefined {
  const hash = hashToken(bearer);
  return all.find(
    ({ hash: own, revokedAt, expiresAt }) =>
      own === hash && revokedAt === undefined && (expiresAt === undefined || now < Date.parse(expiresAt)),
  );
}

/** Refuses an unknown caller without naming a scope, because a client would request it. */
function unknownCaller(message: string, challenge?: string): Response {
  const more = challenge === undefined ? "" : `, ${challenge}`;
  return refusal(401, "forbidden", message, { "www-authenticate": `Bearer realm="waymark"${more}` });
}

function storeUnavailable(): Response {
  return refusal(503, "unavailable", "The store does not respond. Send the same call again.", {
    "retry-after": "1",
  });
}
