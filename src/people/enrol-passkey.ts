import { createPublicKey, type JsonWebKey } from "node:crypto";
import type { Approver } from "./approver.ts";
import { keyFingerprint } from "./approver.ts";

/** A passkey made by a browser, as its page sends it. */
export type NewPasskey = {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string };
};

/** The request it was made for. */
export type PasskeyRequest = { readonly challenge: string; readonly origin: string; readonly rpId: string };

/** The approver of a new passkey, if it matches the request and the person was verified; a problem otherwise. */
export async function enrolPasskey(
  made: NewPasskey,
  { challenge, origin, rpId }: PasskeyRequest,
  { name, now }: { readonly name: string; readonly now: Date },
): Promise<(Approver & { kind: "passkey" }) | { readonly problem: string }> {
  // Only enrolling needs to parse attestations.
  const [{ verifyRegistrationResponse }, { decodeCredentialPublicKey }] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...made, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    });
    if (!verified) return { problem: "the passkey is not valid" };
    const { credential } = registrationInfo;
    const jwk = jwkOf(decodeCredentialPublicKey(credential.publicKey));
    if (jwk === undefined) return { problem: "its kind of key is not supported" };
    const spki = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "der" });
    return {
      name,
      kind: "passkey",
      key: keyFingerprint(spki),
      public: spki.toString("base64"),
      enrolled: now.toISOString(),
      credential: credential.id,
      rpId,
    };
  } catch (fault) {
    return { problem: fault instanceof Error ? fault.message : String(fault) };
  }
}

/** The accepted key algorithms by COSE number, preferred first: ES256, EdDSA, RS256. */
export const passkeyAlgorithms = [-7, -8, -257] as const;

/** Converts a COSE public key to a JWK; undefined if its kind is not accepted. */
function jwkOf(cose: { get(key: number): unknown }): JsonWebKey | undefined {
  const [kind, curve] = [cose.get(1), cose.get(-1)];
  const part = (key: number): string => {
    const value = cose.get(key);
    return value instanceof Uint8Array ? Buffer.from(value).toString("base64url") : "";
  };
  if (kind === 2 && curve === 1) return { kty: "EC", crv: "P-256", x: part(-2), y: part(-3) };
  if (kind === 1 && curve === 6) return { kty: "OKP", crv: "Ed25519", x: part(-2) };
  return kind === 3 ? { kty: "RSA", n: part(-1), e: part(-2) } : undefined;
}
