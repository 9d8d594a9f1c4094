import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Places } from "../compose.ts";
import { liesIn } from "../paths/lies-in.ts";
import { UserFault } from "./fault.ts";

/** Reads a public key (PEM). */
export function readPublicKey(file: string): string {
  return readKey(file, "public", createPublicKey);
}

/** Reads a private key (PEM); one that lies where the history does vouches for nothing. */
export function readPrivateKey(file: string, places: Places): string {
  return readKey(outside(file, places), "private", createPrivateKey);
}

/** Refuses a place inside the project. */
export function outside(file: string, { root, projectArea = root }: Places): string {
  const isInside = [root, projectArea].some((area) => liesIn(area, resolve(file)));
  if (isInside) throw new UserFault(`${file} lies inside the project area: keep the private key somewhere else.`);
  return file;
}

function readKey(file: string, kind: string, parse: (pem: string) => unknown): string {
  let pem: string;
  try {
    pem = readFileSync(file, "utf8");
  } catch {
    throw new UserFault(`The key ${file} cannot be read.`);
  }
  try {
    parse(pem);
  } catch {
    throw new UserFault(`${file} holds no ${kind} key that can be used (PEM, without a passphrase).`);
  }
  return pem;
}
