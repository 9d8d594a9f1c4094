/** The words of a piece of HTML that head what follows it: of `<summary>` and `<h3>`; none where it ends a part; undefined where it does neither. */
export function htmlLabel(html: string): string | undefined {
  const text = withoutComments(html);
  if (/^\s*<\/(?:details|section|div)>/i.test(text)) return "";
  const [, , words = ""] = /<(summary|h[1-6])\b[^>]*>([\s\S]*?)<\/\1>\s*$/i.exec(text.trim()) ?? [];
  return words === "" ? undefined : wordsOf(words);
}

/** Tells whether HTML holds what a gate would be read from, were it Markdown: boxes, entries, cells, or words that ask. */
export function hidesDemands(html: string): boolean {
  const text = withoutComments(html);
  return (
    /<(?:li|td|input|dt)\b|^\s*(?:[-*+]\s*)?\[[ x]?\]|[☐☑]/im.test(text) ||
    /\bmust provide\b|\b(?:required|evidence|checkpoint)\s*:/i.test(wordsOf(text))
  );
}

function withoutComments(html: string): string {
  return html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "");
}

function wordsOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}
