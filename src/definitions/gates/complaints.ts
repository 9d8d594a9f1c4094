import type { FindingCode } from "../codes.ts";

/** What keeps a gate closed, and where its author finds it. */
export type Complaint = {
  readonly line: number;
  readonly message: string;
  readonly kind: ComplaintKind;
  /** The way to it in the file: of a key that is not understood, the key itself last. */
  readonly at: readonly string[];
};

/** What is at fault: the file, a key, a value, a rule, or that nothing is asked for. */
export type ComplaintKind = "yaml" | "key" | "value" | "validator" | "nothing";

/** Notes one thing that is wrong at a place in the file. */
export type Complain = (kind: ComplaintKind, path: readonly string[], message: string) => void;

/** What a complaint comes to: its code, and what to do. */
export const meanings: Readonly<Record<ComplaintKind, { readonly code: FindingCode; readonly fix: string }>> = {
  nothing: {
    code: "gate-asks-nothing",
    fix: "Ask for evidence, checks or approval, say what may be edited, or delete the file.",
  },
  key: { code: "gate-unknown-key", fix: "Mend the key, or delete it." },
  value: { code: "gate-wrong-value", fix: "Mend the value." },
  validator: {
    code: "gate-unknown-validator",
    fix: "Write it as a name or a mapping that docs/bots.md lists, such as greater_than_0 or {min: 1, max: 5}.",
  },
  yaml: { code: "gate-malformed", fix: "Write plain YAML: evidence_schema, checks, approval." },
};

/** A gate file as it is read: its name, the line of every key, and where to note what is wrong. */
export type Written = { readonly file: string; lineOf(path: readonly string[]): number; readonly complain: Complain };
