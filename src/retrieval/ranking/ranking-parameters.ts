/** The parameters of the ranking, chosen by the mean over three kinds of collection on one half of their questions (`bench/retrieval.mjs`). */
export const ranking = {
  /** The saturation of a term in a chunk, and the penalty of long chunks. */
  chunk: { saturation: 3, length: 0.75, headLength: 0.5, headings: 1.75 },
  /** The same for whole files, with the weights of terms on the file's card. */
  file: { saturation: 4, length: 0.6, title: 5, path: 1, tags: 2, questions: 4 },
  /** The weights of a file's score and of its second passage beside its best one. */
  fileWeight: 1.75,
  secondPassage: 0.4,
  /** The weight of a question's own words where terms were given with it. */
  besideTerms: 0.25,
  /** The query's own words choose the first results; words of the best passages only order the rest. */
  feedback: { keepsFirst: 3, passages: 5, terms: 32, weight: 0.35 },
} as const;
