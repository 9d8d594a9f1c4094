import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import * as z from "zod/v4";
import type { Approver } from "./approver.ts";
import type { Proof } from "./statement.ts";

/** Tells whether a passkey signed this challenge, with a person present and verified: true, or what speaks against it. */
export function isAsserted(
  challenge: Buffer,
  proof: Proof & { kind: "passkey" },
  { rpId, public: spki }: Pick<Approver & { kind: "passkey" }, "rpId" | "public">,
): true | string {
  const clientText = Buffer.from(proof.clientDataJSON, "base64url");
  const client = clientDataOf(clientText);
  if (client === undefined || client.type !== "webauthn.get") return "it is no answer of a passkey";
  if (client.challenge !== challenge.toString("base64url")) return "its signature is not of what it says";
  if (client.origin !== proof.origin || client.crossOrigin === true) return "it was asked for by a page elsewhere";
  if (!belongsTo(proof.origin, rpId)) return `the page that asked for it is not of ${rpId}`;
  const data = Buffer.from(proof.authenticatorData, "base64url");
  if (data.length < shortestData || !data.subarray(0, 32).equals(sha256(rpId)))
    return `the passkey was not asked on behalf of ${rpId}`;
  const flags = data.readUInt8(32);
  if ((flags & present) === 0 || (flags & verified) === 0) return "no person was verified by the passkey";
  return isSigned(Buffer.concat([data, sha256(clientText)]), Buffer.from(proof.signature, "base64url"), spki)
    ? true
    : "its signature is not of what it says";
}

/** Of what an authenticator says: that somebody touched it, and that it knows who they are. */
const [present, verified] = [0x01, 0x04];

/** The hash of the name, the flags and the counter: no answer is shorter. */
const shortestData = 37;

const clientDataForm = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
});

function clientDataOf(text: Buffer): z.infer<typeof clientDataForm> | undefined {
  try {
    return clientDataForm.parse(JSON.parse(text.toString("utf8")));
  } catch {
    return undefined;
  }
}

/** Whether a page is of a host that a passkey belongs to, and nobody between could have written it. */
function belongsTo(origin: string, rpId: string): boolean {
  try {
    const { hostname, protocol } = new URL(origin);
    const isHost = hostname === rpId || hostname.endsWith(`.${rpId}`);
    return isHost && (protocol === "https:" || (protocol === "http:" && hostname === "localhost"));
  } catch {
    return false;
  }
}

function isSigned(signed: Buffer, signature: Buffer, spki: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(spki, "base64"), format: "der", type: "spki" });
    return verify(hashFor(key), signed, key, signature);
  } catch {
    return false; // not even the shape of a key or a signature
  }
}

function hashFor({ asymmetricKeyType }: KeyObject): "sha256" | null {
  return asymmetricKeyType === "ed25519" ? null : "sha256";
}

function sha256(data: Buffer | string): Buffer {
  return createHash("sha256").update(data).digest();
}
