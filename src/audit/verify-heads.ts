import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import type { AuditedLog } from "../engine/ports/event-log.ts";
import type { SignedHead } from "../engine/ports/signed-heads.ts";
import { canonical } from "../kit/json.ts";
import { sha256 } from "../kit/sha256.ts";

/** The verdict on a signed head: the history up to it is the signed one, or the reason it is not; "set aside" means the head of a fork. */
export type HeadVerdict = {
  readonly signed: SignedHead;
  readonly verdict: "holds" | "set aside" | "other history" | "bad signature" | "unknown key";
};

/** Makes a key pair (Ed25519, PEM); keep the private key outside the project area. */
export function newHeadKeys(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
}

/** Signs the head of a history; undefined if it is empty. */
export function signHead(log: AuditedLog, privateKey: string, now: Date): SignedHead | undefined {
  const { first, head, seq } = log;
  if (first === null) return undefined;
  const key = createPrivateKey(privateKey);
  const claim = { seq, head, first, at: now.toISOString(), key: fingerprint(createPublicKey(key)) };
  return { ...claim, signature: sign(null, Buffer.from(canonical(claim)), key).toString("base64") };
}

/** Checks signed heads against a history and the trusted public keys. */
export function checkHeads(
  heads: readonly SignedHead[],
  log: AuditedLog,
  publicKeys: readonly string[],
): readonly HeadVerdict[] {
  if (heads.length === 0) return [];
  const keys = new Map(publicKeys.map((pem) => createPublicKey(pem)).map((key) => [fingerprint(key), key]));
  const forked = new Set(
    log.lines.flatMap(({ kind, hash }) => (kind === "aside" || kind === "accepted" ? [hash] : [])),
  );
  return heads.map((signed) => {
    const { signature, ...claim } = signed;
    const key = keys.get(signed.key);
    if (key !== undefined && !verify(null, Buffer.from(canonical(claim)), key, Buffer.from(signature, "base64")))
      return { signed, verdict: "bad signature" };
    // A head that the history does not have means they do not belong together, no matter who signed it.
    const isSame = log.hashes.get(signed.seq) === signed.head && log.first === signed.first;
    if (!isSame) return { signed, verdict: forked.has(signed.head) ? "set aside" : "other history" };
    return { signed, verdict: key === undefined ? "unknown key" : "holds" };
  });
}

/** The SHA-256 of a public key in DER form. */
export function fingerprint(key: KeyObject): string {
  return sha256(key.export({ type: "spki", format: "der" }));
}
