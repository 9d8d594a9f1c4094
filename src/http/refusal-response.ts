import { jsonHeaders } from "./headers.ts";

/** The reason of a refusal for the log: nothing in it was sent by the caller. */
export type RefusalReason = { readonly code: string; readonly reason: string };

const reasons = new WeakMap<Response, RefusalReason>();

/** Builds a refusal: a code for programs and a sentence for people; `reason` is for the log if the sentence quotes the caller. */
export function refusal(
  status: number,
  error: string,
  message: string,
  headers: Record<string, string> = {},
  reason = message,
): Response {
  const body = `${JSON.stringify({ error, message, required_action: requiredActions[status] ?? otherAction })}\n`;
  const response = new Response(body, { status, headers: { ...jsonHeaders, ...headers } });
  reasons.set(response, { code: error, reason });
  return response;
}

const otherAction = "Correct the request, then send it again.";
const requiredActions: Readonly<Record<number, string>> = {
  401: "Send a valid token: Authorization: Bearer TOKEN.",
  403: "Send it from the server's own page, or with a token that has the role.",
  404: "Check the address: projects are at /mcp/NAME.",
  408: "Send it again, and faster.",
  413: "Send less at once.",
  421: "Use the address that the server printed, or the one of --public-url.",
  429: "Wait a second, then send it again.",
  503: "Send the same call again.",
};

/** The reason that a response was refused for; undefined if it is no refusal of ours. */
export function reasonOf(response: Response): RefusalReason | undefined {
  return reasons.get(response);
}

/** Builds the answer for something that does not exist or that the caller may not know of. */
export function notFound(): Response {
  return refusal(404, "invalid_input", "Not found.");
}
