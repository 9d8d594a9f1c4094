import { jsonHeaders } from "./headers.ts";

/** A no to a request: a code that programs know, and a sentence for people. */
export function refusal(
  status: number,
  error: string,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return new Response(`${JSON.stringify({ error, message })}\n`, { status, headers: { ...jsonHeaders, ...headers } });
}

/** The answer to whoever asks for what is not there, or not theirs to know of. */
export function nothingHere(): Response {
  return refusal(404, "invalid_input", "There is nothing here.");
}
