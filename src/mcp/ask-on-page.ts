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
import type { OpenPage } from "../engine/answer-page.ts";
import type { PageOutcome } from "../engine/caller.ts";
import type { ApprovalQuestion } from "../engine/reply.ts";
import { type Era, questionState } from "./elicit-approval.ts";

/** Sends a person to a page during one call; `question` returns it to the client first where the protocol needs that. */
export type PageQuestion = {
  readonly askOnPage: (asked: ApprovalQuestion) => Promise<PageOutcome>;
  question(asked: ApprovalQuestion): InputRequiredResult | undefined;
};

export type PageQuestionOptions = {
  /** The remaining wait for a person, in milliseconds. */
  readonly patience: () => number;
  readonly openPage: OpenPage;
};

/** A way to send a person to a page through this client; undefined if the client cannot open one. */
export function pageQuestionThrough(
  server: Server,
  era: Era,
  ctx: ServerContext,
  { patience, openPage }: PageQuestionOptions,
): PageQuestion | undefined {
  const declared = era === "modern" ? modernElicitation(ctx) : server.getClientCapabilities()?.elicitation;
  if (declared?.url === undefined) return undefined;
  const response = era === "modern" ? inputResponse(ctx.mcpReq.inputResponses, pageKey) : undefined;
  const [askedKey] = response === undefined ? [] : String(ctx.mcpReq.requestState() ?? "").split(".");
  let url: string | undefined;
  return {
    async askOnPage(asked) {
      // without a page the person answers at a terminal
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
          ? await openInClient(ctx, page.url, left)
          : response.kind === "elicit" && response.action === "accept";
      // opening the page is not an answer: only what is recorded then counts
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

/** The key under which a 2026 client reports that the person went there. */
const pageKey = "page";

const message =
  "This step is waiting for your approval with your passkey. The page shows everything it covers; waymark approve does the same in a terminal.";

/** For the 2025 protocols: asks the client to open the page; true if the person went there. */
async function openInClient(ctx: ServerContext, url: string, timeout: number): Promise<boolean> {
  try {
    const params = { mode: "url", message, url, elicitationId: randomUUID() } as const;
    const { action } = await ctx.mcpReq.elicitInput(params, { timeout, signal: ctx.mcpReq.signal });
    return action === "accept";
  } catch {
    return false; // silence, an error and a closed client all mean that no one went
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
