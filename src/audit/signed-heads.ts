import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import type { AuditedLog } from "../engine/ports.ts";
import { canonical } from "../evidence/json.ts";
import { sha256 } from "../evidence/sha256.ts";
import type { SignedHead } from "./ports.ts";

/** What a signed head proves: the history up to it is the one that was signed, or why that cannot be said. `set aside`: it is the end of another side. */
export type HeadVerdict = {
  readonly signed: SignedHead;
  readonly verdict: "holds" | "set aside" | "other history" | "bad signature" | "unknown key";
};

/** Makes a pair of keys (Ed25519, PEM). The private one belongs outside the project area. */
export function newHeadKeys(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
}

/** Signs the end of a history; undefined where there is nothing to sign. */
export function signHead(log: AuditedLog, privateKey: string, now: Date): SignedHead | undefined {
  const { first, head, seq } = log;
  if (first === null) return undefined;
  const key = createPrivateKey(privateKey);
  const claim = { seq, head, first, at: now.toISOString(), key: fingerprint(createPublicKey(key)) };
  return { ...claim, signature: sign(null, Buffer.from(canonical(claim)), key).toString("base64") };
}

/** Checks signed heads against a history and the public keys that are trusted. */
export function checkHeads(
  heads: readonly SignedHead[],
  log: AuditedLog,
  publicKeys: readonly string[],
): readonly HeadVerdict[] {
  if (heads.length === 0) return [];
  const keys = new Map(publicKeys.map((pem) => createPublicKey(pem)).map((key) => [fingerprint(key), key]));
  const aside = new Set(log.lines.flatMap(({ kind, hash }) => (kind === "aside" || kind === "accepted" ? [hash] : [])));
  return heads.map((signed) => {
    const { signature, ...claim } = signed;
    const key = keys.get(signed.key);
    if (key !== undefined && !verify(null, Buffer.from(canonical(claim)), key, Buffer.from(signature, "base64")))
      return { signed, verdict: "bad signature" };
    // Whoever signed it: a head that the history does not have says that the two do not belong together.
    const isSame = log.hashes.get(signed.seq) === signed.head && log.first === signed.first;
    if (!isSame) return { signed, verdict: aside.has(signed.head) ? "set aside" : "other history" };
    return { signed, verdict: key === undefined ? "unknown key" : "holds" };
  });
}

/** Names a public key: the SHA-256 of its DER form. */
export function fingerprint(key: KeyObject): string {
  return sha256(key.export({ type: "spki", format: "der" }));
}
