import { hash } from "node:crypto";
import type { HandedIn, StepRef } from "../../workflow/events.ts";
import type { JsonObject } from "../../workflow/json.ts";

/** What a person is asked before a phase is completed: with all that would count, or its digest, so that their answer is bound to it. */
export function questionFor(
  { step, workflow }: StepRef,
  { evidence, outputs }: HandedIn,
  confirmation: string | undefined,
): string {
  return [
    `Is Phase ${step} of ${workflow} done? Its gate asks for your approval.`,
    ...shown("Evidence", evidence),
    ...shown("Outputs", outputs),
    ...(confirmation === undefined
      ? []
      : [`The assistant says you said: ${JSON.stringify(confirmation.slice(0, 500))}`]),
    "Accept to complete it. Decline to keep it open.",
  ].join("\n");
}

const room = 600;

function shown(title: string, value: JsonObject = {}): string[] {
  const text = JSON.stringify(value);
  if (text === "{}") return [];
  const characters = [...text.slice(0, room * 2 + 2)];
  if (characters.length <= room) return [`${title}: ${text}`];
  const size = Buffer.byteLength(text).toLocaleString("en");
  const digest = hash("sha256", text).slice(0, 16);
  return [`${title}: ${characters.slice(0, room).join("")}…`, `(cut: ${size} bytes in all, SHA-256 ${digest})`];
}
