import { type KeyObject, sign } from "node:crypto";
import { type Signed, type Statement, statementText } from "./statement.ts";

/** Signs a statement with a person's key, which `key` names. */
export function signStatement(statement: Statement, key: string, privateKey: KeyObject): Signed {
  const signature = sign(null, Buffer.from(statementText(statement)), privateKey).toString("base64url");
  return { statement, proof: { kind: "ed25519", key, signature } };
}
