import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseObject } from "../projections/json-text.ts";
import { canonical } from "./canonical.ts";
import { encodeName, ownFolder } from "./places.ts";
import type { VerifiedJournal } from "./verify-journal.ts";

/** The end of a history at one moment, as its owner vouches for it. */
export type SignedHead = {
  readonly seq: number;
  readonly head: string;
  /** The hash of the first record: names the journal. */
  readonly first: string;
  readonly at: string;
  /** The SHA-256 of the public key. */
  readonly key: string;
  readonly signature: string;
};

/** What a signed head proves: the history up to it is the one that was signed, or why that cannot be said. */
export type HeadVerdict = {
  readonly signed: SignedHead;
  readonly verdict: "holds" | "other history" | "bad signature" | "unknown key";
};

/** Makes a pair of keys (Ed25519, PEM). The private one belongs outside the project area. */
export function newHeadKeys(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
}

/** Signs the end of a history; undefined where there is nothing to sign. */
export function signHead(journal: VerifiedJournal, privateKey: string, now: Date): SignedHead | undefined {
  const { first, head, seq } = journal;
  if (first === null) return undefined;
  const key = createPrivateKey(privateKey);
  const claim = { seq, head, first, at: now.toISOString(), key: fingerprint(createPublicKey(key)) };
  return { ...claim, signature: sign(null, Buffer.from(canonical(claim)), key).toString("base64") };
}

/** Checks signed heads against a history and the public keys that are trusted. */
export function checkHeads(
  heads: readonly SignedHead[],
  journal: VerifiedJournal,
  publicKeys: readonly string[],
): readonly HeadVerdict[] {
  const keys = new Map(publicKeys.map((pem) => createPublicKey(pem)).map((key) => [fingerprint(key), key]));
  const hashes = new Map(
    journal.lines.flatMap((line) => (line.kind === "counts" ? [[line.record.seq, line.hash]] : [])),
  );
  return heads.map((signed) => {
    const { signature, ...claim } = signed;
    const key = keys.get(signed.key);
    if (key !== undefined && !verify(null, Buffer.from(canonical(claim)), key, Buffer.from(signature, "base64")))
      return { signed, verdict: "bad signature" };
    // Whoever signed it: a head that the history does not have says that the two do not belong together.
    const isSame = hashes.get(signed.seq) === signed.head && journal.first === signed.first;
    if (!isSame) return { signed, verdict: "other history" };
    return { signed, verdict: key === undefined ? "unknown key" : "holds" };
  });
}

/** Where the signed heads of one desk are kept. */
export function headsFile(projectArea: string, bot: string): string {
  return join(ownFolder(projectArea), "heads", `${encodeName(bot)}.jsonl`);
}

/** Adds a signed head to those that are kept. */
export function keepHead(file: string, head: SignedHead): void {
  mkdirSync(dirname(file), { recursive: true });
  const fd = openSync(file, "a");
  try {
    writeSync(fd, `${canonical(head)}\n`);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Reads the signed heads that are kept, and says how many lines are none. Throws where the file is there and cannot be read. */
export function readHeads(file: string): { readonly heads: readonly SignedHead[]; readonly unreadable: number } {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const heads = lines.flatMap((line) => {
    const { seq, head, first, at, key, signature } = parseObject(line) ?? {};
    const isWhole =
      typeof seq === "number" && [head, first, at, key, signature].every((field) => typeof field === "string");
    return isWhole
      ? [{ seq, head: `${head}`, first: `${first}`, at: `${at}`, key: `${key}`, signature: `${signature}` }]
      : [];
  });
  return { heads, unreadable: lines.length - heads.length };
}

function fingerprint(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex");
}
