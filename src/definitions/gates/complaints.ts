/** What keeps a gate closed, and where its author finds it. */
export type Complaint = {
  readonly line: number;
  readonly message: string;
  readonly kind: ComplaintKind;
};

/** What is at fault: the file, a key, a value, a rule, or that nothing is asked for. */
export type ComplaintKind = "yaml" | "key" | "value" | "validator" | "nothing";

/** Notes one thing that is wrong at a place in the file. */
export type Complain = (kind: ComplaintKind, path: readonly string[], message: string) => void;

/** What is said of a gate that can be passed with nothing. */
export const nothingAsked = "the file asks for nothing";
