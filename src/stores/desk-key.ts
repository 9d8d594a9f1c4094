import type { DeskId } from "../engine/ports.ts";

/** Tells one desk from every other. */
export function deskKey({ kind, name, run = "" }: DeskId): string {
  return JSON.stringify([kind, name, run]);
}
