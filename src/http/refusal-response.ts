import { jsonHeaders } from "./headers.ts";

/** Builds a refusal: a code for programs and a sentence for people. */
export function refusal(
  status: number,
  error: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(`${JSON.stringify({ error, message })}\n`, { status, headers: { ...jsonHeaders, ...headers } });
}

/** Builds the answer for something that does not exist or that the caller may not know of. */
export function notFound(): Response {
  return refusal(404, "invalid_input", "Not found.");
}
