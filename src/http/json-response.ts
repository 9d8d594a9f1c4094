import { jsonHeaders } from "./headers.ts";

/** Builds a JSON response. */
export function json(value: object): Response {
  return new Response(`${JSON.stringify(value)}\n`, { headers: jsonHeaders });
}
