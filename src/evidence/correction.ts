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

/** What the check that a correction adds to its rule says where it finds something. */
export function checkMessage({ dont, do: right }: Correction): string {
  const message = `${dont} → ${right}`.replaceAll(/\s+/g, " ");
  return message.length > 200 ? `${message.slice(0, 199)}…` : message;
}
