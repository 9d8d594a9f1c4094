import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import type { EnrolmentOptions, PasskeyAnswer, StatementToSign } from "../api/pages/page-data.ts";

/** A passkey's signature, or the reason why there is none. */
export type PasskeySignature = Omit<PasskeyAnswer, "nonce"> | { readonly problem: string };

/** Asks the person's passkey to sign a statement. */
export async function signWithPasskey({ challenge, rpId, credentials }: StatementToSign): Promise<PasskeySignature> {
  try {
    const { id, response } = await startAuthentication({
      optionsJSON: {
        challenge,
        rpId,
        allowCredentials: credentials.map((credential) => ({ id: credential, type: "public-key" })),
        userVerification: "required",
        timeout: 120_000,
      },
    });
    const { authenticatorData, clientDataJSON, signature } = response;
    return { credential: id, authenticatorData, clientDataJSON, signature };
  } catch (fault) {
    return { problem: passkeyErrorText(fault) };
  }
}

/** Creates a passkey for a person. */
export async function createPasskey(options: EnrolmentOptions) {
  const { challenge, rpId, userId, name, algorithms, known } = options;
  try {
    return await startRegistration({
      optionsJSON: {
        challenge,
        rp: { id: rpId, name: "Waymark" },
        user: { id: userId, name, displayName: name },
        pubKeyCredParams: algorithms.map((alg) => ({ alg, type: "public-key" })),
        excludeCredentials: known.map((id) => ({ id, type: "public-key" })),
        authenticatorSelection: { residentKey: "preferred", userVerification: "required" },
        attestation: "none",
        timeout: 120_000,
      },
    });
  } catch (fault) {
    return { problem: passkeyErrorText(fault) };
  }
}

function passkeyErrorText(fault: unknown): string {
  if (fault instanceof WebAuthnError && fault.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return "This device already has a passkey with this name.";
  if (fault instanceof Error && fault.name === "NotAllowedError")
    return "Nothing was signed: it was cancelled, it timed out, or this device has no such passkey. Try again.";
  return fault instanceof Error ? fault.message : String(fault);
}
