/** A matching file: the combined score of the file and its best passage, and its passages, best first. */
export type RankedFile = {
  readonly document: number;
  readonly score: number;
  readonly passages: readonly number[];
};
