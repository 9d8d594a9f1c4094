import type { FindingCode } from "../finding-codes.ts";

/** A reason that keeps a gate closed, with its location. */
export type GateError = {
  readonly line: number;
  readonly message: string;
  readonly kind: GateErrorKind;
  /** The path to it in the file; for an unknown key, that key comes last. */
  readonly at: readonly string[];
};

/** The kind of error: in the file, a key, a value or a validator, or nothing is required. */
export type GateErrorKind = "yaml" | "key" | "value" | "validator" | "nothing";

/** Records one error at a location in the file. */
export type ReportGateError = (kind: GateErrorKind, path: readonly string[], message: string) => void;

/** The code and the fix of each kind of complaint. */
export const gateErrorMeanings: Readonly<Record<GateErrorKind, { readonly code: FindingCode; readonly fix: string }>> =
  {
    nothing: {
      code: "gate-asks-nothing",
      fix: "Require evidence, checks or approval, set edits, or delete the file.",
    },
    key: { code: "gate-unknown-key", fix: "Fix the key or delete it." },
    value: { code: "gate-wrong-value", fix: "Fix the value." },
    validator: {
      code: "gate-unknown-validator",
      fix: "Use a name or mapping listed in docs/bots.md, such as greater_than_0 or {min: 1, max: 5}.",
    },
    yaml: { code: "gate-malformed", fix: "Write plain YAML with evidence_schema, checks or approval." },
  };

/** A gate file while it is read: its name, the line of every key, and where to report errors. */
export type GateSource = {
  readonly file: string;
  lineOf(path: readonly string[]): number;
  readonly complain: ReportGateError;
};
