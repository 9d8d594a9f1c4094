import { createPublicKey, verify } from "node:crypto";
import type { Approver } from "./approver.ts";
import { isAsserted } from "./passkey.ts";
import { challengeOf, type Signed, statementText } from "./statement.ts";

/** Tells whether a statement was made with the key of this approver: true, or what speaks against it. Needs nothing but what is given. */
export function isProved({ statement, proof }: Signed, approver: Approver): true | string {
  if (proof.key !== approver.key) return "it was made with another key";
  if (proof.kind === "passkey")
    return approver.kind === "passkey"
      ? isAsserted(challengeOf(statement), proof, approver)
      : "it was made with another kind of key";
  if (approver.kind !== "ed25519") return "it was made with another kind of key";
  try {
    const key = createPublicKey({ key: Buffer.from(approver.public, "base64"), format: "der", type: "spki" });
    const signature = Buffer.from(proof.signature, "base64url");
    if (verify(null, Buffer.from(statementText(statement)), key, signature)) return true;
  } catch {
    // not even the shape of a key or a signature
  }
  return "its signature is not of what it says";
}
