/** The terms of an index and their numbers; it only grows, and unused terms are dropped on save. */
export type Dictionary = {
  readonly words: readonly string[];
  /** The number of a term, added if it is new. */
  add(term: string): number;
  /** The number of a known term. */
  find(term: string): number | undefined;
};

/** Creates a dictionary that starts with these words. */
export function dictionary(words: string[] = []): Dictionary {
  const numbers = new Map<string, number>();
  for (let at = 0; at < words.length; at++) numbers.set(words[at] ?? "", at);
  return {
    words,
    add(term) {
      const known = numbers.get(term);
      if (known !== undefined) return known;
      numbers.set(term, words.length);
      return words.push(term) - 1;
    },
    find: (term) => numbers.get(term),
  };
}
