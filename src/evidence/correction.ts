/** A correction that a person wants remembered: what was wrong, and what is right. */
export type Correction = {
  readonly rule: string;
  readonly dont: string;
  readonly do: string;
  /** What is refused from then on, where it matches. */
  readonly pattern?: string;
  /** The rule and its file, once they are found. */
  readonly place?: string;
};
