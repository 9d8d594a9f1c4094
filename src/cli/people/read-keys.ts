import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { WorkplaceOptions } from "../../app/open-workplace.ts";
import { isPathInside } from "../../kit/is-path-inside.ts";
import { UserError } from "../terminal/user-error.ts";

/** Reads a public key (PEM). */
export function readPublicKey(file: string): string {
  return readKey(file, "public", createPublicKey);
}

/** Reads a private key (PEM), which must lie outside the project. */
export function readPrivateKey(file: string, places: WorkplaceOptions): string {
  return readKey(requireOutsideProject(file, places), "private", createPrivateKey);
}

/** Throws if a file lies inside the project. */
export function requireOutsideProject(file: string, { root, projectArea = root }: WorkplaceOptions): string {
  const isInside = [root, projectArea].some((area) => isPathInside(area, resolve(file)));
  if (isInside) throw new UserError(`${file} is inside the project area. Keep the private key somewhere else.`);
  return file;
}

function readKey(file: string, kind: string, parse: (pem: string) => unknown): string {
  let pem: string;
  try {
    pem = readFileSync(file, "utf8");
  } catch {
    throw new UserError(`The key ${file} cannot be read.`);
  }
  try {
    parse(pem);
  } catch {
    throw new UserError(`${file} contains no usable ${kind} key (PEM, without a passphrase).`);
  }
  return pem;
}
