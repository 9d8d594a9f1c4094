import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parsedObject } from "../kit/json.ts";
import { sha256 } from "../kit/sha256.ts";
import { replaceFile } from "../stores/file/atomic-file.ts";
import { stateFolder } from "../stores/file/trust/machine-state.ts";

/** A person's sign-in at a team server: a token, or what OAuth needs to renew one. */
export type SignIn = { readonly url: string; readonly token?: string; readonly oauth?: Record<string, unknown> };

/** The sign-in kept for a server on this machine; undefined if there is none. */
export function readSignIn(url: URL): SignIn | undefined {
  const file = signInFile(url);
  if (!existsSync(file)) return undefined;
  return parsedObject(readFileSync(file, "utf8")) as SignIn | undefined;
}

/** Keeps a sign-in in the person's state folder, readable only by them. */
export function keepSignIn(url: URL, signIn: Omit<SignIn, "url">): void {
  keepSecret(signInFile(url), `${JSON.stringify({ url: url.href, ...signIn }, null, 2)}\n`);
}

/** The token for a server: of the environment, in CI, otherwise of the sign-in. */
export function tokenFor(url: URL): string | undefined {
  const given = process.env.WAYMARK_TOKEN ?? "";
  return given === "" ? readSignIn(url)?.token : given;
}

function signInFile({ origin, pathname }: URL): string {
  return join(stateFolder(), "remote", `${sha256(`${origin}${pathname}`).slice(0, 32)}.json`);
}

function keepSecret(file: string, text: string): void {
  const folder = join(stateFolder(), "remote");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  replaceFile(file, [Buffer.from(text)], folder, { durable: true, mode: 0o600 });
}
