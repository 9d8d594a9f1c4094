import { refusal } from "./refusal.ts";

/** How much of a request is read, and how deep its data may go. */
export type BodyLimits = { readonly bytes: number; readonly levels: number };

/** The data of a request, or the no to it: too large, no JSON, or deeper than anything that walks it could bear. */
export async function readJson(
  request: Request,
  { bytes, levels }: BodyLimits,
): Promise<{ readonly value: unknown } | { readonly refused: Response }> {
  const text = await readText(request, bytes);
  if (text === undefined)
    return { refused: refusal(413, "too_large", `A request holds at most ${bytes} bytes.`, { connection: "close" }) };
  if (depthOf(text) > levels)
    return { refused: refusal(400, "invalid_input", `Data may be nested at most ${levels} levels deep.`) };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { refused: refusal(400, "invalid_input", "The request is no JSON.") };
  }
}

/** The text of a request; undefined where it is longer than this. What it says of its own length is not relied upon. */
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

/** How deep the data of a JSON text goes, counted on the text itself: parsed data this deep could not even be looked at. */
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
