import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Statement } from "../gates/approval-statement.ts";
import type { Approver } from "./approver.ts";
import { addApprover, readApprovers } from "./approvers-file.ts";
import { keyFile, keysFolder, ownKeys, storeKey } from "./own-keys.ts";
import { makeKey, openKey, parseSealedKey, type SealedKey } from "./sealed-key.ts";
import { signStatement } from "./sign-statement.ts";
import { verifyProof } from "./verify-proof.ts";

const home = mkdtempSync(join(tmpdir(), "waymark-keys-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

// Sealing is slow on purpose: two keys serve all.
let dana: SealedKey;
let zoe: SealedKey;
beforeAll(async () => {
  dana = await makeKey("dana", "correct horse");
  zoe = await makeKey("zoé", "caf\u00e9 au lait");
});

const approver = ({ name, key, public: spki }: SealedKey): Approver => ({
  ...{ name, kind: "ed25519", key, public: spki, enrolled: "2026-01-01T00:00:00.000Z" },
});

const statement: Statement = {
  ...{
    v: 1,
    project: "f".repeat(64),
    run: "story_bot",
    workflow: "shape",
    step: "gather_context",
    pass: 1,
    attempt: 1,
  },
  ...{ digest: "d".repeat(64), decision: "approve", nonce: "n", at: "2026-01-01T00:00:00.000Z" },
};

test("a key opens with its passphrase, however its letters are composed, and signs what its public part proves", async () => {
  const opened = await openKey(dana, "correct horse");
  if (opened === undefined) throw new Error("it does not open");
  expect(verifyProof(signStatement(statement, dana.key, opened), approver(dana))).toBe(true);
  expect(await openKey(zoe, "cafe\u0301 au lait")).toBeDefined();
});

test("a key opens with no other passphrase, and not under another's public part", async () => {
  expect(await openKey(dana, "correct horsf")).toBeUndefined();
  const exchanged = { ...dana, public: zoe.public, key: zoe.key };
  expect(parseSealedKey(JSON.stringify(exchanged))).toEqual(exchanged);
  expect(await openKey(exchanged, "correct horse")).toBeUndefined();
});

// Attack (yourself): Guess the passphrase of a sealed key
// -> Not caught. A guess costs half a second of one core and 128 MB
test("what is sealed more cheaply, or names another key than it has, is no key of ours", () => {
  const read = (change: object): unknown => parseSealedKey(JSON.stringify({ ...dana, ...change }));
  expect(read({})).toEqual(dana);
  expect(read({ scrypt: { ...dana.scrypt, N: 2 ** 14 } })).toBeUndefined();
  expect(read({ key: "0".repeat(64) })).toBeUndefined();
  expect(read({ admin: true })).toBeUndefined();
  expect(parseSealedKey("no JSON")).toBeUndefined();
});

test("keys are kept for their owner only, under their names, and never over one another", async () => {
  const folder = join(home, "kept");
  expect(await storeKey(dana, folder)).toBe(true);
  expect(statSync(keyFile("dana", folder)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(await storeKey({ ...dana, scrypt: { ...dana.scrypt, salt: "other" } }, folder)).toBe(false);
  writeFileSync(join(folder, "lee.json"), JSON.stringify(dana));
  writeFileSync(join(folder, "sam.json"), "no key");
  expect(await ownKeys(folder)).toEqual([dana]);
  expect(await ownKeys(join(home, "nowhere"))).toEqual([]);
});

test("the folder is the person's config folder, wherever that is", () => {
  const { XDG_CONFIG_HOME } = process.env;
  try {
    process.env.XDG_CONFIG_HOME = join(home, "config");
    expect(keysFolder()).toBe(join(home, "config", "waymark", "keys"));
    process.env.XDG_CONFIG_HOME = "relative/folders/do/not/count";
    expect(keysFolder()).toMatch(/\.config\/waymark\/keys$/);
  } finally {
    if (XDG_CONFIG_HOME === undefined) delete process.env.XDG_CONFIG_HOME;
    else process.env.XDG_CONFIG_HOME = XDG_CONFIG_HOME;
  }
});

test("approvers are added beside what stands there; a file that is not understood or is a link is neither read nor written", async () => {
  const definitions = join(home, "definitions");
  mkdirSync(join(definitions, "schemas"), { recursive: true });
  writeFileSync(join(definitions, "schemas/approvers.schema.json"), "{}");
  const file = join(definitions, "approvers.json");
  expect(await readApprovers(definitions)).toEqual([]);
  expect(await addApprover(definitions, approver(dana))).toBeUndefined();
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ $schema: "./schemas/approvers.schema.json" });
  const again: Approver = { ...approver(zoe), name: "dana" };
  expect(await addApprover(definitions, again)).toBeUndefined();
  expect(await addApprover(definitions, again)).toBeUndefined();
  expect(await readApprovers(definitions)).toEqual([approver(dana), again]);
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ $schema: "./schemas/approvers.schema.json" });
  writeFileSync(file, '{"approvers": [], "admin": true}');
  expect(await readApprovers(definitions)).toEqual({ problem: expect.stringMatching(/cannot be used/) });
  expect(await addApprover(definitions, again)).toMatch(/cannot be used/);
  rmSync(file);
  writeFileSync(join(home, "elsewhere.json"), '{"approvers": []}');
  symlinkSync(join(home, "elsewhere.json"), file);
  expect(await readApprovers(definitions)).toEqual({
    problem: "approvers.json cannot be used: it is not a plain file",
  });
});
