import type { Json } from "../kit/json.ts";
import type { ReplyForm } from "./bot-reply.ts";
import type { PhaseReply } from "./phase-reply.ts";

/** Renders the same reply as text, for clients that show only that. */
export function phaseText(answer: PhaseReply, form: ReplyForm): string {
  if (form === "line") return line(answer);
  const { warnings, error, message, reason, required_action, next_step, ...rest } = answer;
  const lines: string[] = [];
  if (error !== undefined) lines.push(`[${error}] ${String(message)}`);
  else if (message !== undefined) lines.push(String(message));
  for (const said of [reason, required_action]) if (typeof said === "string") lines.push(said);
  for (const warning of warnings) lines.push(`Warning: ${warning}`);
  for (const [name, value] of Object.entries(rest)) lines.push(...part(name, value));
  if (typeof next_step === "string") lines.push(next_step);
  return lines.join("\n");
}

function line({ error, message, required_action, session_id, next_phase, current_phase }: PhaseReply): string {
  if (error !== undefined) return `[${String(error)}] ${String(message)} ${String(required_action)}`;
  const phase = next_phase ?? current_phase;
  return `${session_id === undefined ? "sessions" : String(session_id)}${phase === undefined ? "" : `: Phase ${String(phase)}`}`;
}

function part(name: string, value: Json): string[] {
  const title = name.replaceAll("_", " ");
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return [`${title}: ${value}`];
  if (Array.isArray(value) && value.every((item) => typeof item === "string"))
    return [`${title}:`, ...value.map((item) => `- ${item}`)];
  if (value !== null && "content" in value && typeof value.content === "string")
    return [`${title}:`, "", value.content, ""];
  return [`${title}: ${JSON.stringify(value)}`];
}
