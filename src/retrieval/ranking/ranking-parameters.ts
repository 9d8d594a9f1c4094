/** The parameters of the ranking, tuned on half of the questions of two different collections and tested on the rest (`bench/retrieval.mjs`). */
export const ranking = {
  /** The saturation of a term in a chunk, and the penalty of long chunks. */
  chunk: { saturation: 2, length: 0.75, headLength: 0.5, headings: 1 },
  /** The same for whole files, with the weights of terms on the file's card. */
  file: { saturation: 5, length: 0.7, title: 4, path: 1, tags: 2, questions: 4 },
  /** The weight of a file's score beside that of its best chunk. */
  fileWeight: 1.5,
  /** The weight of a question's own words where terms were given with it. */
  besideTerms: 0.25,
  /** The query's own words choose the first results; words of the best passages only order the rest. */
  feedback: { keepsFirst: 3, passages: 5, terms: 16, weight: 0.2 },
} as const;
