import { defined } from "../../kit/defined.ts";
import type { StreamId } from "../../workflow/stream-id.ts";

/** The name of a run in links; always looked up, never joined to a path. */
export function runKey({ kind, name, run }: StreamId): string {
  return [kind, name, ...(run === undefined ? [] : [run])].map(encodeURIComponent).join(":");
}

/** Reverses `runKey`; undefined for what is no key. */
export function idOfKey(key: string): StreamId | undefined {
  const parts = key.split(":");
  const [kind, name, run] = parts.map((part) => unlessMalformed(part));
  if (parts.length > 3 || (kind !== "bot" && kind !== "session") || name === undefined) return undefined;
  if (parts.length === 3 && run === undefined) return undefined;
  return { kind, name, ...defined({ run }) };
}

function unlessMalformed(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
