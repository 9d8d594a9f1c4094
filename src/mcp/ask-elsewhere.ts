import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { Asked, WentElsewhere } from "../engine/caller.ts";
import { type Era, questionState } from "./ask.ts";

/** A page on which a person answers themselves; `answered` waits until they have, since it was opened, or nobody waits any more. */
export type AnswerPage = { readonly url: string; answered(): Promise<void> };

/** Opens such a page for what somebody is asked; undefined where nobody could answer on it. */
export type OpenPage = (asked: Asked) => Promise<AnswerPage | undefined>;

/** How one call takes a person elsewhere: the way there, and, once that must go back to the client first, the question that does. */
export type Elsewhere = {
  readonly askElsewhere: (asked: Asked) => Promise<WentElsewhere>;
  question(asked: Asked): InputRequiredResult | undefined;
};

export type AskingElsewhere = {
  /** How long a person can be waited for now, in milliseconds. */
  readonly patience: () => number;
  readonly openPage: OpenPage;
};

/** A way to take a person to a page through this client, or nothing where the client cannot open one. */
export function elsewhereThrough(
  server: Server,
  era: Era,
  ctx: ServerContext,
  { patience, openPage }: AskingElsewhere,
): Elsewhere | undefined {
  const declared = era === "modern" ? modernElicitation(ctx) : server.getClientCapabilities()?.elicitation;
  if (declared?.url === undefined) return undefined;
  const response = era === "modern" ? inputResponse(ctx.mcpReq.inputResponses, pageKey) : undefined;
  const [askedKey] = response === undefined ? [] : String(ctx.mcpReq.requestState() ?? "").split(".");
  let url: string | undefined;
  return {
    async askElsewhere(asked) {
      // Where no page can be had, the person answers at a terminal.
      const page = await openPage(asked).catch(() => undefined);
      if (page === undefined) return "nowhere";
      const left = Math.max(0, patience());
      const until = Date.now() + left;
      if (response !== undefined && (response.kind === "missing" || askedKey !== asked.key)) {
        url = page.url;
        return "pending";
      }
      const isThere =
        response === undefined
          ? await sent(ctx, page.url, left)
          : response.kind === "elicit" && response.action === "accept";
      // That they went there is no answer: what counts is what is on record then.
      if (isThere) await Promise.race([page.answered(), setTimeout(until - Date.now(), undefined, { ref: false })]);
      return "asked";
    },
    question: (asked) =>
      url === undefined
        ? undefined
        : inputRequired({
            inputRequests: { [pageKey]: inputRequired.elicitUrl({ message, url }) },
            requestState: questionState(asked.key),
          }),
  };
}

/** The key under which a client of the newest protocol says that the person went there. */
const pageKey = "page";

const message =
  "This step waits for your approval, proved by your passkey. The page shows everything that it covers; waymark approve does the same at a terminal.";

/** The 2025 protocols: asks the client to open the page; whether the person went there. */
async function sent(ctx: ServerContext, url: string, timeout: number): Promise<boolean> {
  try {
    const params = { mode: "url", message, url, elicitationId: randomUUID() } as const;
    const { action } = await ctx.mcpReq.elicitInput(params, { timeout, signal: ctx.mcpReq.signal });
    return action === "accept";
  } catch {
    return false; // silence, an error and a client that hung up all mean: nobody went
  }
}

function modernElicitation(ctx: ServerContext): { url?: unknown } | undefined {
  return capabilities.safeParse(ctx.mcpReq.envelope).data?.[CLIENT_CAPABILITIES_META_KEY].elicitation;
}

const capabilities = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({
    elicitation: z.looseObject({ url: z.unknown().optional() }).optional(),
  }),
});
