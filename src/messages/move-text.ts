import { oneLine } from "../kit/one-line.ts";
import type { Move } from "../workflow/move.ts";
import type { StreamId } from "../workflow/stream-id.ts";

/** Words a move: who did what, to which step, and when. */
export function moveText({ client, what, workflow, step, at, people, said }: Move, kind: StreamId["kind"]): string {
  const place = kind === "session" ? `Phase ${step}` : `${workflow}.${step}`;
  const who = oneLine(people?.join(" and ") ?? client ?? "another window", 60);
  const words = said === undefined ? "" : `, saying "${oneLine(said, 400)}"`;
  return `${who} ${what} ${step === "" ? workflow || "the run" : place} at ${at.replace(/\.\d+Z$/, "Z")}${words}`;
}
