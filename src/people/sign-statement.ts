import { type KeyObject, sign } from "node:crypto";
import { type SignedStatement, type Statement, statementText } from "../gates/approval-statement.ts";

/** Signs a statement with a person's key, named by `key`. */
export function signStatement(statement: Statement, key: string, privateKey: KeyObject): SignedStatement {
  const signature = sign(null, Buffer.from(statementText(statement)), privateKey).toString("base64url");
  return { statement, proof: { kind: "ed25519", key, signature } };
}
