import type { ApprovalQuestion } from "./reply.ts";

/** A page where a person answers; `answered` resolves once they have, or the wait is over. */
export type AnswerPage = { readonly url: string; answered(): Promise<void> };

/** Opens a page for a question; undefined if no one could answer on it. */
export type OpenPage = (asked: ApprovalQuestion) => Promise<AnswerPage | undefined>;
