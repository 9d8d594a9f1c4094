import type { Approver } from "./approver.ts";
import type { Proof } from "./statement.ts";

/** Tells whether a passkey signed this challenge, with a person present and verified: true, or what speaks against it. */
export function isAsserted(
  _challenge: Buffer,
  _proof: Proof & { kind: "passkey" },
  _approver: Approver & { kind: "passkey" },
): true | string {
  return "passkeys cannot be checked yet";
}
