import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  scrypt,
} from "node:crypto";
import * as z from "zod/v4";
import { parsedJson } from "../kit/json.ts";
import { approverName, keyFingerprint } from "./approver.ts";

/** A person's private key, encrypted with a passphrase. */
export type SealedKey = z.infer<typeof form>;

/** Makes a key for a person, sealed with their passphrase. */
export async function makeKey(name: string, passphrase: string): Promise<SealedKey> {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const spki = publicKey.export({ type: "spki", format: "der" });
  const [salt, iv] = [randomBytes(32), randomBytes(12)];
  const cipher = createCipheriv("aes-256-gcm", await derive(passphrase, salt), iv).setAAD(spki);
  const secret = privateKey.export({ type: "pkcs8", format: "der" });
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  return {
    v: 1,
    name,
    key: keyFingerprint(spki),
    public: spki.toString("base64"),
    scrypt: { ...cost, salt: salt.toString("base64") },
    "aes-256-gcm": { iv: iv.toString("base64"), sealed: sealed.toString("base64") },
  };
}

/** Opens a key with a passphrase; undefined if it is wrong or the file was changed. */
export async function openKey(key: SealedKey, passphrase: string): Promise<KeyObject | undefined> {
  const spki = Buffer.from(key.public, "base64");
  const { iv, sealed } = key["aes-256-gcm"];
  const bytes = Buffer.from(sealed, "base64");
  const secret = await derive(passphrase, Buffer.from(key.scrypt.salt, "base64"));
  try {
    const options = { authTagLength: tagLength };
    const cipher = createDecipheriv("aes-256-gcm", secret, Buffer.from(iv, "base64"), options)
      .setAAD(spki)
      .setAuthTag(bytes.subarray(-tagLength));
    const opened = Buffer.concat([cipher.update(bytes.subarray(0, -tagLength)), cipher.final()]);
    const privateKey = createPrivateKey({ key: opened, format: "der", type: "pkcs8" });
    const own = createPublicKey(privateKey).export({ type: "spki", format: "der" });
    return own.equals(spki) ? privateKey : undefined;
  } catch {
    return undefined;
  }
}

/** Parses a key file strictly: other programs' or later versions' files are not guessed at. */
export function parseSealedKey(text: string): SealedKey | undefined {
  return form.safeParse(parsedJson(text)).data;
}

/** The cost of one passphrase attempt: half a second of one core and 128 MB. */
const cost = { N: 2 ** 17, r: 8, p: 1 } as const;

const tagLength = 16;

function derive(passphrase: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The same passphrase however the keyboard composes its letters.
    scrypt(passphrase.normalize("NFKC"), salt, 32, { ...cost, maxmem: 256 * 1024 * 1024 }, (fault, key) =>
      fault === null ? resolve(key) : reject(fault),
    );
  });
}

const form = z
  .strictObject({
    v: z.literal(1),
    name: z.string().refine((name) => approverName(name) === name),
    key: z.string(),
    public: z.string(),
    scrypt: z.strictObject({ N: z.literal(cost.N), r: z.literal(cost.r), p: z.literal(cost.p), salt: z.string() }),
    "aes-256-gcm": z.strictObject({ iv: z.string(), sealed: z.string() }),
  })
  .refine((one) => keyFingerprint(Buffer.from(one.public, "base64")) === one.key);
