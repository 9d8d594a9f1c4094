import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { fingerprint } from "../signed-heads.ts";

/** A signed text, as DSSE has it (version 1). */
export type Envelope = {
  readonly payloadType: string;
  readonly payload: string;
  readonly signatures: readonly { readonly keyid?: string | undefined; readonly sig: string }[];
};

export const payloadType = "application/vnd.in-toto+json";

/** Puts a text into an envelope, signed with a private key (PEM). */
export function seal(text: string, privateKey: string): Envelope {
  const key = createPrivateKey(privateKey);
  const body = Buffer.from(text);
  const sig = sign(algorithmOf(key), toBeSigned(payloadType, body), key).toString("base64");
  return {
    payloadType,
    payload: body.toString("base64"),
    signatures: [{ keyid: fingerprint(createPublicKey(key)), sig }],
  };
}

/** What signatures come to: signed by a key that was given, by none of them, or bent. */
export type SealVerdict = "holds" | "unknown key" | "bad signature";

/** Holds the signatures of an envelope against public keys (PEM). A key's name is a hint: every key is tried. */
export function checkSeal(
  { payloadType: type, payload, signatures }: Envelope,
  publicKeys: readonly string[],
): SealVerdict {
  const signed = toBeSigned(type, Buffer.from(payload, "base64"));
  const keys = publicKeys.map((pem) => createPublicKey(pem));
  const isBy = (key: KeyObject, sig: string): boolean => {
    try {
      return verify(algorithmOf(key), signed, key, Buffer.from(sig, "base64"));
    } catch {
      return false; // not even the shape of a signature by this kind of key
    }
  };
  if (signatures.some(({ sig }) => keys.some((key) => isBy(key, sig)))) return "holds";
  const names = new Set(keys.map(fingerprint));
  return signatures.some(({ keyid = "" }) => names.has(keyid)) ? "bad signature" : "unknown key";
}

/** The text that is really signed: type and body, each with its length in front. */
function toBeSigned(type: string, body: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Edwards keys hash by themselves. */
function algorithmOf({ asymmetricKeyType: kind }: KeyObject): string | null {
  return kind === "ed25519" || kind === "ed448" ? null : "sha256";
}
