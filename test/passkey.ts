import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { join } from "node:path";
import { keyFingerprint } from "../src/people/approver.ts";
import { addApprover } from "../src/people/approvers-file.ts";
import { trustAll } from "./page.ts";

/** A device with one passkey, without a browser around it: what it signs is what a real one would. */
export type Passkey = {
  /** Answers a challenge as asked for by a page. */
  answer(
    made: { readonly nonce: string; readonly challenge: string },
    origin: string,
  ): Readonly<Record<"nonce" | "credential" | "authenticatorData" | "clientDataJSON" | "signature", string>>;
};

/** Gives somebody a passkey for pages of a host, names it among the approvers, and trusts it on this machine. */
export async function givePasskey(root: string, name: string, rpId: string): Promise<Passkey> {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const spki = publicKey.export({ format: "der", type: "spki" });
  const credential = createHash("sha256").update(spki).digest("base64url");
  const problem = await addApprover(join(root, ".waymark"), {
    ...{ kind: "passkey", name, credential, rpId },
    key: keyFingerprint(spki),
    public: spki.toString("base64"),
    enrolled: new Date().toISOString(),
  });
  if (problem !== undefined) throw new Error(problem);
  await trustAll({ root });
  return {
    answer({ nonce, challenge }, origin) {
      const client = Buffer.from(JSON.stringify({ type: "webauthn.get", challenge, origin, crossOrigin: false }));
      const hash = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
      const data = Buffer.concat([hash(rpId), Buffer.from([0x05]), Buffer.alloc(4)]);
      return {
        ...{ nonce, credential },
        authenticatorData: data.toString("base64url"),
        clientDataJSON: client.toString("base64url"),
        signature: sign("sha256", Buffer.concat([data, hash(client)]), privateKey).toString("base64url"),
      };
    },
  };
}
