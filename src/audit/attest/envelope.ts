import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { fingerprint } from "../verify-heads.ts";

/** A DSSE envelope (version 1). */
export type Envelope = {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid?: string | undefined; readonly sig: string }[];
};

export const payloadType = "application/vnd.in-toto+json";

/** Signs a text with a private key (PEM) and wraps it in an envelope. */
export function seal(text: string, privateKey: string): Envelope {
  const key = createPrivateKey(privateKey);
  const body = Buffer.from(text);
  const sig = sign(algorithmOf(key), signedBytes(payloadType, body), key).toString("base64");
  return {
    payloadType,
    payload: body.toString("base64"),
    signatures: [{ keyid: fingerprint(createPublicKey(key)), sig }],
  };
}

/** The verdict on an envelope's signatures. */
export type SealVerdict = "holds" | "unknown key" | "bad signature";

/** Checks an envelope's signatures against public keys (PEM), trying every key since a key's name is only a hint. */
export function checkSeal(
  { payloadType: type, payload, signatures }: Envelope,
  publicKeys: readonly string[],
): SealVerdict {
  const signed = signedBytes(type, Buffer.from(payload, "base64"));
  const keys = publicKeys.map((pem) => createPublicKey(pem));
  const isBy = (key: KeyObject, sig: string): boolean => {
    try {
      return verify(algorithmOf(key), signed, key, Buffer.from(sig, "base64"));
    } catch {
      return false; // not a valid signature for this kind of key
    }
  };
  if (signatures.some(({ sig }) => keys.some((key) => isBy(key, sig)))) return "holds";
  const names = new Set(keys.map(fingerprint));
  return signatures.some(({ keyid = "" }) => names.has(keyid)) ? "bad signature" : "unknown key";
}

/** The bytes that are signed: type and body, each prefixed with its length. */
function signedBytes(type: string, body: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Ed25519 and Ed448 keys hash by themselves. */
function algorithmOf({ asymmetricKeyType: kind }: KeyObject): string | null {
  return kind === "ed25519" || kind === "ed448" ? null : "sha256";
}
