/** Token budgets for the texts an assistant reads at once. */
export const budgets = { instructions: 600, openedAction: 2_000, tools: 1_200 } as const;
