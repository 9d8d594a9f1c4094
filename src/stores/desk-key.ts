import type { DeskId } from "../engine/ports.ts";

/** Tells one desk from every other. */
export function deskKey({ kind, name, run = "" }: DeskId): string {
  return JSON.stringify([kind, name, run]);
}

/** A desk as what is said of its history names it. */
export function nameOf({ kind, name, run }: DeskId): string {
  if (kind === "session") return `session ${name}`;
  return run === undefined ? name : `${name} (run ${run})`;
}
