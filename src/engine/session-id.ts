import { createHash } from "node:crypto";
import { canonical, type JsonObject } from "../evidence/json.ts";
/** What makes two starts one: the same workflow, target and options, in the same run. */
export type SessionKey = {
  readonly type: string;
  readonly target: string | null;
  readonly options: JsonObject;
  readonly run?: string;
};

/** The part of a session's id that its key decides; a number after it tells one pass from the next. */
export function sessionPrefix({ type, target, options, run }: SessionKey): string {
  const slug = type.replace(/[^\w-]/g, "_").slice(0, 40);
  const key = createHash("sha256")
    .update(JSON.stringify([type, target, JSON.parse(canonical(options)), ...(run === undefined ? [] : [run])]))
    .digest("hex");
  return `${slug}-${key.slice(0, 10)}-`;
}

/** The ids of one key in the order they were begun, and the one that the next would have. */
export function sessionsOf(
  key: SessionKey,
  ids: readonly string[],
): { readonly known: string[]; readonly next: string } {
  const prefix = sessionPrefix(key);
  const numbers = ids
    .flatMap((id) => (id.startsWith(prefix) ? [Number(id.slice(prefix.length))] : []))
    .filter((number) => Number.isSafeInteger(number) && number > 0)
    .sort((a, b) => a - b);
  return { known: numbers.map((number) => `${prefix}${number}`), next: `${prefix}${(numbers.at(-1) ?? 0) + 1}` };
}
