import type { DeskId } from "../engine/ports.ts";
import type { Move } from "../workflow/desk.ts";
import { oneLine } from "./one-line.ts";

/** Who did what, and when. */
export function moveInWords({ client, what, workflow, step, at, people, said }: Move, kind: DeskId["kind"]): string {
  const place = kind === "session" ? `Phase ${step}` : `${workflow}.${step}`;
  const who = oneLine(people?.join(" and ") ?? client ?? "another window", 60);
  const words = said === undefined ? "" : `, saying "${oneLine(said, 400)}"`;
  return `${who} ${what} ${step === "" ? workflow || "the run" : place} at ${at.replace(/\.\d+Z$/, "Z")}${words}`;
}
