/** Takes notes such as `[validator: is_true]` out of the words about a field. */
export function validatorsIn(words: string): { readonly rest: string; readonly written: readonly string[] } {
  const written: string[] = [];
  const rest = words.replaceAll(
    /[([]?\s*\bvalidat(?:or|ion)s?\b\s*[:=]\s*`?([^\])`;]+)`?\s*[)\]]?/gi,
    (_, named: string) => {
      written.push(named.trim());
      return " ";
    },
  );
  return { rest, written };
}
