import { timingSafeEqual } from "node:crypto";
import type { MachineKey } from "./machine-state.ts";

/** The opened body of a seal, or why it is not trusted; "cut" means it is incomplete. */
export type Unsealed =
  | { readonly body: Buffer }
  | { readonly not: "unsealed" | "cut" | "another machine's" | "forged" };

/** Seals bytes with this machine's key, bound to what they are about. */
export function seal(key: MachineKey, about: string, body: Buffer): readonly Buffer[] {
  return [Buffer.from(`${mark} ${key.id} ${body.length} ${key.mac(about, body)}\n`), body];
}

/** Opens a seal; only this machine's seal about exactly this is trusted. */
export function unseal(key: MachineKey, about: string, bytes: Buffer): Unsealed {
  const [, id, size, mac] = header.exec(bytes.toString("latin1", 0, longestHeader)) ?? [];
  const body = bytes.subarray(bytes.indexOf(newline) + 1);
  if (id === undefined || mac === undefined) return { not: isEmpty(bytes) ? "cut" : "unsealed" };
  if (Number(size) > body.length) return { not: "cut" };
  if (id !== key.id) return { not: "another machine's" };
  const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(key.mac(about, body)));
  return isOurs ? { body } : { not: "forged" };
}

/** Tells if a file is empty or begins with zeros only, as a power cut leaves it. */
function isEmpty(bytes: Buffer): boolean {
  return bytes.subarray(0, longestHeader).every((byte) => byte === 0);
}

const mark = "waymark-sealed-1";
const header = new RegExp(`^${mark} ([0-9a-f]{16}) (\\d{1,15}) ([0-9a-f]{64})\\n`);
const longestHeader = 160;
const newline = 0x0a;
