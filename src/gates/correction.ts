/** A correction to remember: what was wrong and what is right. */
export type Correction = {
  readonly rule: string;
  readonly dont: string;
  readonly do: string;
  /** A pattern refused from then on. */
  readonly pattern?: string;
  /** The rule and its file, once found. */
  readonly place?: string;
};

/** The message of the check that a correction adds to its rule. */
export function checkMessage({ dont, do: right }: Correction): string {
  const message = `${dont} → ${right}`.replaceAll(/\s+/g, " ");
  return message.length > 200 ? `${message.slice(0, 199)}…` : message;
}
