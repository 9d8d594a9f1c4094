import {
  CLIENT_CAPABILITIES_META_KEY,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { Answer, Ask } from "../engine/caller.ts";
import { isWord } from "../evidence/persons-word.ts";
import { questionFor } from "../words/question.ts";

export type Era = "legacy" | "modern";

/** The key under which a client of the newest protocol returns a person's answer. */
export const wordKey = "word";

/**
 * What a person is asked to fill in: an answer, and their own words if they like. The no comes first: a host that has
 * something chosen beforehand has that chosen, so that nobody agrees by pressing a key too many.
 */
export function wordForm(withComment: boolean) {
  const answer = { type: "string" as const, title: "Answer", description: "Do you agree?", enum: ["no", "yes"] };
  const comment = {
    type: "string" as const,
    title: "Comment",
    description: "Your own words, kept on record (optional)",
  };
  return {
    type: "object" as const,
    properties: { answer, ...(withComment ? { comment } : {}) },
    required: ["answer"],
  };
}

/** Sooner than this nobody has read a question, let alone said no to it. */
const quickestReaderMs = 250;

/** A way to put a question to a person through this client, or nothing where the client cannot. */
export function askThrough(server: Server, era: Era, ctx: ServerContext, how: Asking): Ask | undefined {
  return era === "modern" ? askByReturning(ctx) : askByRequest(server, ctx, how);
}

/** How long a person can be waited for now, in milliseconds, and whether they are asked for a comment as well. */
export type Asking = { readonly patience: () => number; readonly comment: boolean };

/** Tells how long one call may wait for a person: it has begun before that, with checks or an earlier question, and must end before a host gives it up. */
export function patienceOf(longestMs: number, now = () => performance.now()): () => number {
  const begun = now();
  return () => Math.min(longestMs, longestCallMs - (now() - begun));
}

/** A call that waits for a person takes no longer than this: hosts give one up after a minute. */
const longestCallMs = 50_000;

/** The 2025 protocols: the server asks, and waits a while. */
function askByRequest(server: Server, ctx: ServerContext, { patience, comment }: Asking): Ask | undefined {
  if (!canFillForms(server.getClientCapabilities()?.elicitation)) return undefined;
  return async (asked) => {
    const timeout = patience();
    if (timeout <= 0) return { kind: "late" };
    try {
      const params = { mode: "form", message: questionFor(asked), requestedSchema: wordForm(comment) } as const;
      const askedAt = performance.now();
      const { action, content } = await ctx.mcpReq.elicitInput(params, {
        timeout,
        signal: ctx.mcpReq.signal,
        // It goes out with this call's own answer: whatever else the client listens on may be at another server.
        relatedRequestId: ctx.mcpReq.id,
      });
      const answer = answerOf(action, content);
      const isUnread = performance.now() - askedAt < quickestReaderMs;
      return answer.kind === "no" && isUnread ? { kind: "none" } : answer;
    } catch {
      return { kind: "none" }; // silence, an error and a client that hung up all mean: nobody answered
    }
  };
}

/** The 2026 protocol: the question is returned, and the client calls again with the answer. */
function askByReturning(ctx: ServerContext): Ask | undefined {
  const { data } = clientCapabilities.safeParse(ctx.mcpReq.envelope);
  if (!canFillForms(data?.[CLIENT_CAPABILITIES_META_KEY].elicitation)) return undefined;
  const response = inputResponse(ctx.mcpReq.inputResponses, wordKey);
  const [askedKey, askedAt] = String(ctx.mcpReq.requestState() ?? "").split(".");
  return async ({ key }) => {
    // An answer counts for the question it was given to, and for no other.
    if (response.kind === "missing" || askedKey !== key) return { kind: "pending" };
    if (response.kind !== "elicit") return { kind: "none" };
    const answer = answerOf(response.action, "content" in response ? response.content : undefined);
    const isUnread = Date.now() - Number(askedAt) < quickestReaderMs;
    return answer.kind === "no" && isUnread ? { kind: "none" } : answer;
  };
}

/** Ties an answer that a client returns later to the question it was shown, and to when that was. */
export function questionState(key: string): string {
  return `${key}.${Date.now()}`;
}

const clientCapabilities = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({}).optional() }),
});

/** What a filled-in form says. One that was sent without an answer says nothing. */
export function answerOf(action: string, content: unknown): Answer {
  const { answer, comment } = form.safeParse(content ?? {}).data ?? {};
  const said = comment === undefined || !isWord(comment) ? {} : { comment: comment.slice(0, 2000) };
  if (action === "decline") return { kind: "no", ...said };
  if (action !== "accept" || answer === undefined) return { kind: "none" };
  return { kind: answer, ...said };
}

const form = z.looseObject({
  answer: z.enum(["yes", "no"]).optional().catch(undefined),
  comment: z.string().optional().catch(undefined),
});

function canFillForms(elicitation: { form?: unknown; url?: unknown } | undefined): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}
