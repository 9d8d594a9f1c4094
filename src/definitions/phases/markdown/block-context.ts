/** The context of a block: its headings, bold label and lead-in. */
export type BlockContext = {
  /** From the outermost to the nearest. */
  readonly headings: readonly string[];
  /** A bold line that works as a heading until the next one. */
  readonly label: string;
  /** The line right before a list, table or code that introduces it. */
  readonly intro: string;
  /** True inside a task. */
  readonly inTask: boolean;
  /** The number of list items it is nested in. */
  readonly depth: number;
};
