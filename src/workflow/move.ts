/** A change of position: its number in the stream, by whom, and what happened to which step. */
export type Move = {
  readonly number: number;
  readonly at: string;
  readonly by: string;
  readonly client?: string;
  readonly what: "opened" | "completed" | "went back to" | "edited to" | "archived";
  readonly workflow: string;
  readonly step: string;
  /** The people whose keys prove that they approved it. */
  readonly people?: readonly string[];
  /** The comment of the person who approved it. */
  readonly said?: string;
};
