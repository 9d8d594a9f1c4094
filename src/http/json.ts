import { jsonHeaders } from "./headers.ts";

/** An answer that says this. */
export function json(value: object): Response {
  return new Response(`${JSON.stringify(value)}\n`, { headers: jsonHeaders });
}
