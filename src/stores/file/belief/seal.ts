import { timingSafeEqual } from "node:crypto";
import type { MachineKey } from "./machine.ts";

/** What opening a seal came to: what was sealed, or why it is not believed. `cut`: it is not whole. */
export type Opened = { readonly body: Buffer } | { readonly not: "unsealed" | "cut" | "another machine's" | "forged" };

/** Seals bytes with the key of this machine, as what they are about and nothing else. */
export function seal(key: MachineKey, about: string, body: Buffer): readonly Buffer[] {
  return [Buffer.from(`${mark} ${key.id} ${body.length} ${key.mac(about, body)}\n`), body];
}

/** Opens what was sealed; only what this machine sealed, as being about just this, is believed. */
export function unseal(key: MachineKey, about: string, bytes: Buffer): Opened {
  const [, id, size, mac] = header.exec(bytes.toString("latin1", 0, longestHeader)) ?? [];
  const body = bytes.subarray(bytes.indexOf(newline) + 1);
  if (id === undefined || mac === undefined) return { not: isEmpty(bytes) ? "cut" : "unsealed" };
  if (Number(size) > body.length) return { not: "cut" };
  if (id !== key.id) return { not: "another machine's" };
  const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(key.mac(about, body)));
  return isOurs ? { body } : { not: "forged" };
}

/** As a power cut leaves a file: without a byte, or without one that was written. */
function isEmpty(bytes: Buffer): boolean {
  return bytes.length === 0 || bytes[0] === 0;
}

const mark = "waymark-sealed-1";
const header = new RegExp(`^${mark} ([0-9a-f]{16}) (\\d{1,15}) ([0-9a-f]{64})\\n`);
const longestHeader = 160;
const newline = 0x0a;
