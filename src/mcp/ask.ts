import { createHash } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import { isBlank } from "../engine/ask-for-word.ts";
import type { Answer, Ask } from "../engine/reply.ts";

export type Era = "legacy" | "modern";

/** The key under which a client of the newest protocol returns a person's answer. */
export const wordKey = "word";

/** What a person is asked to fill in: their own words, if they like. A host that answers empty forms by itself does not answer this one. */
export const wordSchema = {
  type: "object",
  properties: {
    comment: { type: "string", title: "Comment", description: "Your own words, kept on record (optional)" },
  },
} as const;

/** A way to put a question to a person through this client, or nothing where the client cannot. */
export function askThrough(server: Server, era: Era, ctx: ServerContext, patienceMs: number): Ask | undefined {
  return era === "modern" ? askByReturning(ctx) : askByRequest(server, ctx, patienceMs);
}

/** The 2025 protocols: the server asks, and waits a while. */
function askByRequest(server: Server, ctx: ServerContext, patienceMs: number): Ask | undefined {
  const elicitation = server.getClientCapabilities()?.elicitation;
  if (!canFillForms(elicitation)) return undefined;
  return async (message) => {
    try {
      const params = {
        mode: "form",
        message,
        requestedSchema: { ...wordSchema, properties: { ...wordSchema.properties } },
      } as const;
      const askedAt = performance.now();
      const result = await ctx.mcpReq.elicitInput(params, { timeout: patienceMs, signal: ctx.mcpReq.signal });
      if (result.action === "decline" && declinesUnseen(server, performance.now() - askedAt)) return { kind: "none" };
      return answerOf(result.action, result.content?.comment);
    } catch {
      return { kind: "none" }; // silence, an error and a client that hung up all mean: nobody answered
    }
  };
}

/** Codex without a screen declines every question by itself, sooner than a person could read it: nobody has answered. */
function declinesUnseen(server: Server, elapsedMs: number): boolean {
  return elapsedMs < 250 && /^codex/i.test(server.getClientVersion()?.name ?? "");
}

/** The 2026 protocol: the question is returned, and the client calls again with the answer. */
function askByReturning(ctx: ServerContext): Ask | undefined {
  const { data } = clientCapabilities.safeParse(ctx.mcpReq.envelope);
  if (!canFillForms(data?.[CLIENT_CAPABILITIES_META_KEY].elicitation)) return undefined;
  const response = inputResponse(ctx.mcpReq.inputResponses, wordKey);
  return async (question) => {
    // An answer counts for the question it was given to, and for no other.
    if (response.kind === "missing" || ctx.mcpReq.requestState() !== questionState(question))
      return { kind: "pending" };
    if (response.kind !== "elicit") return { kind: "none" };
    return answerOf(response.action, "content" in response ? response.content?.comment : undefined);
  };
}

const clientCapabilities = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ elicitation: z.looseObject({}).optional() }),
});

function answerOf(action: string, comment: unknown): Answer {
  const text = typeof comment === "string" && !isBlank(comment) ? { text: comment.slice(0, 2000) } : {};
  if (action === "accept") return { kind: "accepted", ...text };
  return action === "decline" ? { kind: "declined", ...text } : { kind: "none" };
}

function canFillForms(elicitation: { form?: unknown; url?: unknown } | undefined): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Ties an answer that a client returns later to the question it was shown. */
export function questionState(question: string): string {
  return createHash("sha256").update(question).digest("hex").slice(0, 16);
}
