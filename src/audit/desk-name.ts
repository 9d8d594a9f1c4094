import type { DeskId } from "../engine/ports.ts";

/** A desk as people know it. */
export function deskName({ kind, name, run }: DeskId): string {
  if (kind === "session") return `session ${name}`;
  return run === undefined ? name : `${name} (run ${run})`;
}
