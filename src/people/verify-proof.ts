import { createPublicKey, verify } from "node:crypto";
import { challengeOf, type Decision, type SignedStatement, statementText } from "../gates/approval-statement.ts";
import type { Approver } from "./approver.ts";
import { verifyAssertion } from "./verify-passkey.ts";

/** Verifies offline that a statement was signed with this approver's key; returns the problem otherwise. */
export function verifyProof({ statement, proof }: SignedStatement<Decision>, approver: Approver): true | string {
  if (proof.key !== approver.key) return "it was made with another key";
  if (proof.kind === "passkey")
    return approver.kind === "passkey"
      ? verifyAssertion(challengeOf(statement), proof, approver)
      : "it was made with another kind of key";
  if (approver.kind !== "ed25519") return "it was made with another kind of key";
  try {
    const key = createPublicKey({ key: Buffer.from(approver.public, "base64"), format: "der", type: "spki" });
    const signature = Buffer.from(proof.signature, "base64url");
    if (verify(null, Buffer.from(statementText(statement)), key, signature)) return true;
  } catch {
    // not a valid key or signature
  }
  return "its signature does not match";
}
