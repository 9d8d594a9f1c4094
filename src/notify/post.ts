import type { NotifyTarget } from "../engine/ports/notice-queue.ts";
import { compose, type Message } from "./compose.ts";
import { isWebAddress } from "./read-targets.ts";

/** The milliseconds for which a receiver may take to answer. */
const patienceMs = 10_000;

/** Sends a message to a webhook, without following redirects; returns why it was not taken, without the address. */
export async function post(
  target: NotifyTarget,
  message: Message,
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | undefined> {
  const { url = env[target.urlEnv ?? ""]?.trim(), secretEnv, format } = target;
  if (url === undefined || url === "") return `the environment variable ${target.urlEnv} is not set`;
  if (!isWebAddress(url)) return `the environment variable ${target.urlEnv} is not an http or https address`;
  const secret = secretEnv === undefined ? undefined : env[secretEnv];
  if (secretEnv !== undefined && (secret === undefined || secret === ""))
    return `the environment variable ${secretEnv} is not set, so the message cannot be signed`;
  const { body, headers } = compose(message, format, secret, new Date());
  try {
    const signal = AbortSignal.timeout(patienceMs);
    const answer = await fetch(url, { method: "POST", body, headers, redirect: "manual", signal });
    await answer.body?.cancel();
    if (answer.ok) return undefined;
    const isRedirect = answer.status >= 300 && answer.status < 400;
    return isRedirect
      ? `it redirects (status ${answer.status}), which is not followed`
      : `it answered ${answer.status}`;
  } catch (fault) {
    const cause =
      fault instanceof Error && fault.cause instanceof Error && "code" in fault.cause ? fault.cause.code : undefined;
    if (fault instanceof Error && fault.name === "TimeoutError") return "it did not answer in time";
    return `it cannot be reached${typeof cause === "string" ? ` (${cause})` : ""}`;
  }
}

/** Names a webhook without its path, which often is a secret. */
export function targetName({ url, urlEnv }: NotifyTarget): string {
  return url === undefined ? `$${urlEnv}` : new URL(url).origin;
}

/** Identifies a webhook among the notices already sent. */
export function targetKey({ url, urlEnv, format }: NotifyTarget): string {
  return `${format} ${url ?? `$${urlEnv}`}`;
}
