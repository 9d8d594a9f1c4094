import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import * as z from "zod/v4";
import type { Proof } from "../gates/approval-statement.ts";
import { parsedJson } from "../kit/json.ts";
import type { Approver } from "./approver.ts";

/** Verifies that a passkey signed this challenge with a verified person present; returns the problem otherwise. */
export function verifyAssertion(
  challenge: Buffer,
  proof: Proof & { kind: "passkey" },
  { rpId, public: spki }: Pick<Approver & { kind: "passkey" }, "rpId" | "public">,
): true | string {
  const clientText = Buffer.from(proof.clientDataJSON, "base64url");
  const client = clientDataOf(clientText);
  if (client === undefined || client.type !== "webauthn.get") return "it is not a passkey response";
  if (client.challenge !== challenge.toString("base64url")) return "its signature does not match";
  if (client.origin !== proof.origin || client.crossOrigin === true) return "it was requested by another page";
  if (!isPageOf(proof.origin, rpId)) return `the page that requested it is not on ${rpId}`;
  const data = Buffer.from(proof.authenticatorData, "base64url");
  if (data.length < shortestData || !data.subarray(0, 32).equals(sha256(rpId)))
    return `the passkey does not belong to ${rpId}`;
  const flags = data.readUInt8(32);
  if ((flags & present) === 0 || (flags & verified) === 0) return "the passkey did not verify a person";
  return isSigned(Buffer.concat([data, sha256(clientText)]), Buffer.from(proof.signature, "base64url"), spki)
    ? true
    : "its signature does not match";
}

/** The authenticator's flags: user present, user verified. */
const [present, verified] = [0x01, 0x04];

/** The shortest authenticator data: name hash, flags and counter. */
const shortestData = 37;

const clientDataForm = z.looseObject({
  type: z.string(),
  challenge: z.string(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
});

function clientDataOf(text: Buffer): z.infer<typeof clientDataForm> | undefined {
  return clientDataForm.safeParse(parsedJson(text.toString("utf8"))).data;
}

/** Tells if a page is on the passkey's host, over a connection no one could alter. */
function isPageOf(origin: string, rpId: string): boolean {
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
    return false; // not a valid key or signature
  }
}

function hashFor({ asymmetricKeyType }: KeyObject): "sha256" | null {
  return asymmetricKeyType === "ed25519" ? null : "sha256";
}

function sha256(data: Buffer | string): Buffer {
  return createHash("sha256").update(data).digest();
}
