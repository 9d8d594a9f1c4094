import { createPublicKey } from "node:crypto";
import * as z from "zod/v4";
import { defined } from "../kit/defined.ts";
import { parsedJson } from "../kit/json.ts";
import { sha256 } from "../kit/sha256.ts";
import { runName } from "../workflow/run-name.ts";

/** A person's key in `approvers.json`; one name may have several. */
export type Approver = {
  readonly name: string;
  /** The fingerprint: SHA-256 of the public key's DER form. */
  readonly key: string;
  /** The public key: SPKI, DER, in base64. */
  readonly public: string;
  readonly enrolled: string;
} & ({ readonly kind: "ed25519" } | { readonly kind: "passkey"; readonly credential: string; readonly rpId: string });

/** Parses `approvers.json` strictly: a file not fully understood names no one. */
export function parseApprovers(text: string): readonly Approver[] | { readonly problem: string } {
  const value = parsedJson(text);
  if (value === undefined) return { problem: "it is not JSON" };
  const read = fileForm.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { problem: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "it cannot be read"}`.replace(/^: /, "") };
  }
  const { approvers } = read.data;
  const twice = approvers.find(({ key }, at) => approvers.findIndex((one) => one.key === key) !== at);
  return twice === undefined ? approvers : { problem: `it lists the key of ${twice.name} twice` };
}

/** Formats `approvers.json`, with its schema if one is named. */
export function approversText(approvers: readonly Approver[], schema?: string): string {
  return `${JSON.stringify({ ...defined({ $schema: schema }), approvers }, null, 2)}\n`;
}

/** Normalizes a person's name: case and Unicode form do not matter; undefined if it is invalid. */
export function approverName(written: string): string | undefined {
  const name = runName(written);
  return name === undefined || name.includes("/") ? undefined : name;
}

/** The rule for approver names, for messages. */
export const approverNameRule = "letters, digits and ._-, at most 64 characters, not beginning with a dot";

/** The fingerprint of a public key. */
export function keyFingerprint(spki: Buffer): string {
  return sha256(spki);
}

const person = {
  name: z.string().refine((name) => approverName(name) === name, `a name must be ${approverNameRule}, in lower case`),
  key: z.string(),
  public: z.string(),
  enrolled: z.string(),
};

const approverForm = z
  .discriminatedUnion("kind", [
    z.strictObject({ ...person, kind: z.literal("ed25519") }),
    z.strictObject({ ...person, kind: z.literal("passkey"), credential: z.string(), rpId: z.string() }),
  ])
  .refine(isItsKey, "the key is not the fingerprint of its public key");

const fileForm = z.strictObject({ $schema: z.string().optional(), approvers: z.array(approverForm) });

function isItsKey({ key, public: spki, kind }: { key: string; public: string; kind: string }): boolean {
  try {
    const der = Buffer.from(spki, "base64");
    const { asymmetricKeyType } = createPublicKey({ key: der, format: "der", type: "spki" });
    return keyFingerprint(der) === key && (kind !== "ed25519" || asymmetricKeyType === "ed25519");
  } catch {
    return false;
  }
}
