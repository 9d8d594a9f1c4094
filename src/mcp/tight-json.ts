/** Takes the white space out of the fenced JSON in a document; what is no JSON stays as it stands. */
export function tightJson(document: string): string {
  return document.replaceAll(fence, (whole, start: string, json: string, end: string) => {
    const tight = withoutWhiteSpace(json);
    return tight === null ? whole : `${start}${tight}\n${end}`;
  });
}

const fence = /^(```json[ \t]*\n)([\s\S]*?)\n(```)[ \t]*$/gm;

/** Only what stands between strings is white space; numbers and names are not written anew. */
function withoutWhiteSpace(json: string): string | null {
  try {
    JSON.parse(json);
  } catch {
    return null;
  }
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, text?: string) => text ?? "");
}
