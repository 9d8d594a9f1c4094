/** The terms of an index and their numbers. Grows with the documents; terms that no document holds any more are left out when it is saved. */
export type Dictionary = {
  readonly words: readonly string[];
  /** The number of a term, a new one where it is new. */
  add(term: string): number;
  /** The number of a term that is known. */
  find(term: string): number | undefined;
};

/** A dictionary that begins with the given words. */
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
