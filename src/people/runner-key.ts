import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { keyFingerprint } from "./approver.ts";

/** A runner's key: the private part signs, the others are public. */
export type RunnerKey = { readonly privateKey: KeyObject; readonly key: string; readonly public: string };

/** Makes a key; its text is what is kept. */
export function makeRunnerKey(): { readonly text: string; readonly own: RunnerKey } {
  const text = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { text, own: openRunnerKey(text) };
}

/** Opens a key from its text; throws if it is not an Ed25519 key. */
export function openRunnerKey(text: string): RunnerKey {
  const privateKey = createPrivateKey(text);
  if (privateKey.asymmetricKeyType !== "ed25519") throw new Error("A runner's key is an Ed25519 key.");
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return { privateKey, key: keyFingerprint(spki), public: spki.toString("base64") };
}

/** Signs a text. */
export function signText(text: string, { privateKey }: Pick<RunnerKey, "privateKey">): string {
  return sign(null, Buffer.from(text), privateKey).toString("base64url");
}

/** Tells if a text was signed by the key of this fingerprint. */
export function isSignedText(
  text: string,
  named: { readonly key: string; readonly public: string; readonly signature: string },
): boolean {
  try {
    const spki = Buffer.from(named.public, "base64");
    if (keyFingerprint(spki) !== named.key) return false;
    const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
    const signature = Buffer.from(named.signature, "base64url");
    return publicKey.asymmetricKeyType === "ed25519" && verify(null, Buffer.from(text), publicKey, signature);
  } catch {
    return false;
  }
}

/** The fingerprint of a public Ed25519 key in base64; undefined if it is none. */
export function publicKeyFingerprint(spki: string): string | undefined {
  try {
    const der = Buffer.from(spki, "base64");
    const { asymmetricKeyType } = createPublicKey({ key: der, format: "der", type: "spki" });
    return asymmetricKeyType === "ed25519" ? keyFingerprint(der) : undefined;
  } catch {
    return undefined;
  }
}
