import { setTimeout as wait } from "node:timers/promises";
import type { Token, TokenList, Tokens } from "./ports.ts";
import { anybody, type Principal } from "./principal.ts";
import { refusal } from "./refusal.ts";
import { bearerOf } from "./token.ts";
import { hashToken } from "./token-record.ts";

/** Finds out who calls; or the no to somebody who cannot be let in. */
export type Identify = (request: Request) => Promise<Principal | { readonly refused: Response }>;

/** So long what the store says of tokens is believed, in milliseconds: a token that is taken back is gone within a second. */
const believedFor = 500;

/** For a token that is not known the store is asked again, so that one counts as soon as it is made; but not more often than this: whoever guesses waits, and does not keep the store busy. */
const unknownFor = 50;

/** What knowing callers takes. */
export type IdentityParts = {
  readonly tokens: Pick<Tokens, "list">;
  /** Whether nobody is let in without a token from the beginning on: others reach this server, or a token was seen before. */
  readonly isClosed: boolean;
  readonly clock?: () => number;
};

/** Whether there is a token, or ever was one. What cannot be read may have been one. */
export function hasToken({ tokens, unreadable }: TokenList): boolean {
  return tokens.length > 0 || unreadable > 0;
}

/**
 * Knows callers by their tokens. Where that is not closed, anybody on this machine may call until a token is seen; from then on nobody
 * may without one, whatever the store says later: a list that was lost, emptied or damaged lets nobody in.
 */
export function identifyBy({ tokens, isClosed, clock = Date.now }: IdentityParts): Identify {
  let needsToken = isClosed;
  let known: { readonly at: number; readonly tokens: Promise<readonly Token[]> } | undefined;
  /** What the store says by now, asked after this: together with whoever else waits for that. */
  let asking: Promise<readonly Token[]> | undefined;
  const ask = async (): Promise<readonly Token[]> => {
    const listed = await tokens.list();
    needsToken ||= hasToken(listed);
    return listed.tokens;
  };
  const listAnew = (): Promise<readonly Token[]> => {
    const rest = unknownFor - (clock() - (known?.at ?? 0));
    asking ??= wait(Math.max(rest, 0)).then(() => {
      asking = undefined;
      return list(0);
    });
    return asking;
  };
  const list = (believed: number): Promise<readonly Token[]> => {
    if (known === undefined || clock() - known.at >= believed) {
      const asked = { at: clock(), tokens: ask() };
      known = asked;
      // What failed is not remembered: the next caller asks again.
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
      all = await list(believedFor);
      if (bearer !== undefined && find(all, bearer) === undefined) all = await listAnew();
    } catch {
      return { refused: unanswered() };
    }
    if (!needsToken) return anybody;
    if (bearer === undefined) return { refused: unknown("This server wants to know who calls: send a token.") };
    const token = find(all, bearer);
    if (token === undefined) return { refused: unknown("This token is not known here, or was revoked.") };
    const { name, role, project, hash } = token;
    return { id: `${name}.${hash.slice(0, 12)}`, name, role, project };
  };
}

function find(all: readonly Token[], bearer: string): Token | undefined {
  const hash = hashToken(bearer);
  return all.find((one) => one.hash === hash && one.revokedAt === undefined);
}

/** A scope is not named: a client would ask for it by itself. */
function unknown(message: string): Response {
  return refusal(401, "forbidden", message, { "www-authenticate": 'Bearer realm="waymark"' });
}

function unanswered(): Response {
  return refusal(503, "unavailable", "The store does not answer just now. Send the same call again.", {
    "retry-after": "1",
  });
}
