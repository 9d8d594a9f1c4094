/**
 * The one configuration of the ranking. Chosen on half of the questions of two unlike collections and looked at on the
 * other half (`bench/retrieval.mjs`); each value stands on a plateau, so that its neighbours rank almost as well.
 */
export const ranking = {
  /** How soon more of a term in a chunk stops counting, and how much long chunks pay. */
  chunk: { saturation: 2, length: 0.75, headLength: 0.5, headings: 1 },
  /** The same for whole files, with the weight of a term that stands on the file's card. */
  file: { saturation: 5, length: 0.7, title: 4, path: 1, tags: 2, questions: 4 },
  /** What a file's score counts beside that of its best chunk. */
  fileWeight: 1.5,
  /** The question's own words decide who is among the first; words of the best few passages order only who follows. */
  feedback: { keepsFirst: 3, passages: 5, terms: 16, weight: 0.2 },
} as const;
