import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { type SignedStatement, type Statement, statementText } from "../gates/approval-statement.ts";
import { type Approver, approversText, keyFingerprint, parseApprovers } from "./approver.ts";
import { verifyProof } from "./verify-proof.ts";

const statement: Statement = {
  v: 1,
  project: "f".repeat(64),
  run: "story_bot",
  workflow: "shape",
  step: "gather_context",
  pass: 1,
  attempt: 1,
  digest: "d".repeat(64),
  decision: "approve",
  nonce: "n",
  at: "2026-01-01T00:00:00.000Z",
};

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const spki = publicKey.export({ type: "spki", format: "der" });
const dana: Approver = {
  name: "dana",
  kind: "ed25519",
  key: keyFingerprint(spki),
  public: spki.toString("base64"),
  enrolled: "2026-01-01T00:00:00.000Z",
};
const signature = sign(null, Buffer.from(statementText(statement)), privateKey).toString("base64url");
const signed: SignedStatement = { statement, proof: { kind: "ed25519", key: dana.key, signature } };

test("a statement is proved by the key that signed it, whatever the order in which it is written", () => {
  const { v, ...rest } = statement;
  expect(verifyProof(signed, dana)).toBe(true);
  expect(verifyProof({ ...signed, statement: { ...rest, v } }, dana)).toBe(true);
});

test.each<[string, Partial<Statement>]>([
  ["project", { project: "e".repeat(64) }],
  ["run", { run: "story_bot/other" }],
  ["step", { step: "decide" }],
  ["attempt", { attempt: 2 }],
  ["content", { digest: "e".repeat(64) }],
  ["decision", { decision: "reject" }],
  ["comment", { comment: "fine" }],
  ["nonce", { nonce: "m" }],
  ["expiry", { expires: "2099-01-01T00:00:00.000Z" }],
])("a statement about another %s is not what was signed", (_, other) => {
  expect(verifyProof({ ...signed, statement: { ...statement, ...other } }, dana)).toBe("its signature does not match");
});

test("an approvers file is read as it is written, and names nobody where anything in it is not understood", () => {
  const refused = (value: unknown): unknown =>
    parseApprovers(typeof value === "string" ? value : JSON.stringify(value));
  expect(parseApprovers(approversText([dana]))).toEqual([dana]);
  expect(refused("no JSON")).toHaveProperty("problem");
  expect(refused({ approvers: [{ ...dana, admin: true }] })).toHaveProperty("problem");
  expect(refused({ approvers: [{ ...dana, name: "Dana" }] })).toHaveProperty("problem");
  expect(refused({ approvers: [{ ...dana, key: "0".repeat(64) }] })).toHaveProperty("problem");
  expect(refused({ approvers: [dana, { ...dana, name: "lee" }] })).toEqual({
    problem: "it lists the key of lee twice",
  });
});
