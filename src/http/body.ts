import { parsedJson } from "../kit/json.ts";
import { refusal } from "./refusal-response.ts";

/** The size and nesting limits of a request. */
export type BodyLimits = { readonly bytes: number; readonly levels: number };

/** Parses the JSON body of a request, or refuses it: too large, invalid or too deep. */
export async function readJson(
  request: Request,
  { bytes, levels }: BodyLimits,
): Promise<{ readonly value: unknown } | { readonly refused: Response }> {
  const text = await readText(request, bytes);
  if (text === undefined)
    return {
      refused: refusal(413, "too_large", `The request is too large: at most ${bytes} bytes.`, { connection: "close" }),
    };
  if (depthOf(text) > levels)
    return { refused: refusal(400, "invalid_input", `The data is nested too deeply: at most ${levels} levels.`) };
  const value = parsedJson(text);
  return value === undefined ? { refused: refusal(400, "invalid_input", "The request is not valid JSON.") } : { value };
}

/** Reads a body, or returns undefined if it is too long; the declared length is not trusted. */
async function readText(request: Request, most: number): Promise<string | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > most) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Measures the nesting of a JSON text without parsing it, because parsing could overflow the stack. */
export function depthOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const letter = json.charCodeAt(at);
    if (isInText) {
      if (letter === backslash) at++;
      else if (letter === quote) isInText = false;
    } else if (letter === quote) isInText = true;
    else if (letter === openBrace || letter === openBracket) deepest = Math.max(deepest, ++depth);
    else if (letter === closeBrace || letter === closeBracket) depth--;
  }
  return deepest;
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
