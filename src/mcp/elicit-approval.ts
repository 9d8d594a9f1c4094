import {
  CLIENT_CAPABILITIES_META_KEY,
  inputResponse,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod/v4";
import type { AskPerson, PersonAnswer } from "../engine/caller.ts";
import { hasLetterOrDigit } from "../kit/visible-text.ts";
import { approvalQuestion } from "../messages/approval-question.ts";

export type Era = "legacy" | "modern";

/** The key under which a 2026 client returns a person's answer. */
export const approvalKey = "word";

/** The form for a person: an answer, and an optional comment. "no" comes first because some hosts preselect the first option, and no one may approve by accident. */
export function approvalForm(withComment: boolean) {
  const answer = { type: "string" as const, title: "Answer", description: "Do you approve?", enum: ["no", "yes"] };
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

/** A person cannot have read a question faster than this. */
const minReadMs = 250;

/** A way to ask a person through this client; undefined if the client cannot. */
export function askThrough(server: Server, era: Era, ctx: ServerContext, how: AskOptions): AskPerson | undefined {
  return era === "modern" ? askByReturning(ctx) : askByRequest(server, ctx, how);
}

/** The remaining wait for a person in milliseconds, and if the form has a comment. */
export type AskOptions = { readonly patience: () => number; readonly comment: boolean };

/** Limits how long one call may wait for a person, counting the time that checks and earlier questions took. */
export function patienceOf(longestMs: number, now = () => performance.now()): () => number {
  const begun = now();
  return () => Math.min(longestMs, longestCallMs - (now() - begun));
}

/** The longest a call with a question may take; hosts give up after a minute. */
const longestCallMs = 50_000;

/** The longest that a call waits for a person. */
export const patienceMs = 45_000;

/** For the 2025 protocols: asks through a server request and waits. */
function askByRequest(server: Server, ctx: ServerContext, { patience, comment }: AskOptions): AskPerson | undefined {
  if (!canFillForms(server.getClientCapabilities()?.elicitation)) return undefined;
  return async (asked) => {
    const timeout = patience();
    if (timeout <= 0) return { kind: "late" };
    try {
      const params = {
        mode: "form",
        message: approvalQuestion(asked),
        requestedSchema: approvalForm(comment),
      } as const;
      const askedAt = performance.now();
      const { action, content } = await ctx.mcpReq.elicitInput(params, {
        timeout,
        signal: ctx.mcpReq.signal,
        // sent with this call's own reply: other streams of the client may be at another server
        relatedRequestId: ctx.mcpReq.id,
      });
      const answer = readForm(action, content);
      return asPersonSaid(answer, performance.now() - askedAt);
    } catch {
      return { kind: "none" }; // silence, an error and a closed client all mean no answer
    }
  };
}

/** For the 2026 protocol: returns the question, and the client calls again with the answer. */
function askByReturning(ctx: ServerContext): AskPerson | undefined {
  const { data } = clientCapabilities.safeParse(ctx.mcpReq.envelope);
  if (!canFillForms(data?.[CLIENT_CAPABILITIES_META_KEY].elicitation)) return undefined;
  const response = inputResponse(ctx.mcpReq.inputResponses, approvalKey);
  const [askedKey, askedAt] = String(ctx.mcpReq.requestState() ?? "").split(".");
  return async ({ key }) => {
    // an answer counts only for the question it was given to
    if (response.kind === "missing" || askedKey !== key) return { kind: "pending" };
    if (response.kind !== "elicit") return { kind: "none" };
    const answer = readForm(response.action, "content" in response ? response.content : undefined);
    return asPersonSaid(answer, Date.now() - Number(askedAt));
  };
}

/** A bare "no" sooner than a person can read is a client's own answer; a comment is a person's. */
function asPersonSaid(answer: PersonAnswer, afterMs: number): PersonAnswer {
  const isUnread = afterMs < minReadMs;
  return answer.kind === "no" && answer.comment === undefined && isUnread ? { kind: "none" } : answer;
}

/** Ties a returned answer to the question shown, and to the time it was shown. */
export function questionState(key: string): string {
  return `${key}.${Date.now()}`;
}

const clientCapabilities = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({}).optional() }),
});

/** Reads a submitted form; one without an answer counts as no answer. */
export function readForm(action: string, content: unknown): PersonAnswer {
  const { answer, comment } = form.safeParse(content ?? {}).data ?? {};
  const said = comment === undefined || !hasLetterOrDigit(comment) ? {} : { comment: comment.slice(0, 2000) };
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
