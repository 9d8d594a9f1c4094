import { setTimeout as wait } from "node:timers/promises";
import type { Token, TokenList, Tokens } from "../engine/ports/team.ts";
import { anonymous, type Principal } from "./principal.ts";
import { refusal } from "./refusal-response.ts";
import { bearerOf } from "./token.ts";
import { hashToken } from "./token-record.ts";

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
};

/** Tells if there is or was a token; an unreadable entry may have been one. */
export function hasToken({ tokens, unreadable }: TokenList): boolean {
  return tokens.length > 0 || unreadable > 0;
}

/**
 * Identifies callers by token. An open server accepts local callers until it sees a token; from then on each call needs one, even if the list is lost.
 */
export function identifyByToken({ tokens, isClosed, clock = Date.now }: IdentityDeps): Identify {
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
    let all: readonly Token[];
    try {
      all = await list(cacheMs);
      if (bearer !== undefined && find(all, bearer) === undefined) all = await listAgain();
    } catch {
      return { refused: storeUnavailable() };
    }
    if (!needsToken) return anonymous;
    if (bearer === undefined)
      return { refused: unknownCaller("This server needs a token. Send it as Authorization: Bearer.") };
    const token = find(all, bearer);
    if (token === undefined) return { refused: unknownCaller("This token is unknown or revoked.") };
    const { name, role, project, hash } = token;
    return { id: `${name}.${hash.slice(0, 12)}`, name, role, project };
  };
}

function find(all: readonly Token[], bearer: string): Token | undefined {
  const hash = hashToken(bearer);
  return all.find((one) => one.hash === hash && one.revokedAt === undefined);
}

/** Refuses an unknown caller without naming a scope, because a client would request it. */
function unknownCaller(message: string): Response {
  return refusal(401, "forbidden", message, { "www-authenticate": 'Bearer realm="waymark"' });
}

function storeUnavailable(): Response {
  return refusal(503, "unavailable", "The store does not respond. Send the same call again.", {
    "retry-after": "1",
  });
}
