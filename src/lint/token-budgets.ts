/** Estimates the tokens of a text at four characters each; a real tokenizer is too large to ship. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Token budgets for the texts an assistant reads at once. */
export const budgets = { instructions: 600, openedAction: 2_000, tools: 1_200 } as const;
