/** About how many tokens a text costs a model: a tokenizer is too large to carry along, and four characters are one on average. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** What an assistant should be asked to read at once. */
export const budgets = { instructions: 600, openedAction: 2_000, tools: 1_200 } as const;
