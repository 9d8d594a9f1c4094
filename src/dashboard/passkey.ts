import { startAuthentication, startRegistration, WebAuthnError } from "@simplewebauthn/browser";
import type { EnrolmentOptions, PasskeyAnswer, StatementMade } from "../http/pages/page-data.ts";

/** What a passkey signed, or why it did not. */
export type Signed = Omit<PasskeyAnswer, "nonce"> | { readonly problem: string };

/** Has the person's passkey sign a statement. */
export async function signedBy({ challenge, rpId, credentials }: StatementMade): Promise<Signed> {
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
    return { problem: problemOf(fault) };
  }
}

/** Makes a passkey for a person. */
export async function madeFor(options: EnrolmentOptions) {
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
    return { problem: problemOf(fault) };
  }
}

function problemOf(fault: unknown): string {
  if (fault instanceof WebAuthnError && fault.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED")
    return "This device has a passkey of this name already.";
  if (fault instanceof Error && fault.name === "NotAllowedError")
    return "Nothing was signed: it was given up, it took too long, or this device has no such passkey. Try again.";
  return fault instanceof Error ? fault.message : String(fault);
}
