import { createHash } from "node:crypto";

/** The SHA-256 of plain data, the same whatever the order of its keys. */
export function hashOf(data: unknown): string {
  return createHash("sha256").update(canonical(data)).digest("hex");
}

function canonical(data: unknown): string {
  if (Array.isArray(data)) return `[${data.map(canonical).join(",")}]`;
  if (typeof data !== "object" || data === null) return JSON.stringify(data) ?? "null";
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${JSON.stringify(key)}:${canonical(value)}`)
    .join(",")}}`;
}
