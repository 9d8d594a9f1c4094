import { type KeyObject, sign } from "node:crypto";
import { type Decision, type SignedStatement, type Statement, statementText } from "../gates/approval-statement.ts";

/** Signs a statement with a person's key, named by `key`. */
export function signStatement<D extends Decision>(
  statement: Statement<D>,
  key: string,
  privateKey: KeyObject,
): SignedStatement<D> {
  const signature = sign(null, Buffer.from(statementText(statement)), privateKey).toString("base64url");
  return { statement, proof: { kind: "ed25519", key, signature } };
}
