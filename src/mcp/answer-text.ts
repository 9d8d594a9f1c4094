import type { BotAnswer } from "./bot-reply.ts";

/** The same answer as readable text, for clients that show only that. */
export function answerText(answer: BotAnswer): string {
  const place = [answer.bot, answer.behavior, answer.action].filter((part) => part !== null).join(".");
  const lines = [`[${answer.status}] ${place}`];
  if (answer.error !== undefined) lines.push(`${answer.error}: ${answer.message ?? ""}`, answer.required_action ?? "");
  if (answer.missing_evidence !== undefined) lines.push(...answer.missing_evidence.map((gap) => `- ${gap}`));
  for (const warning of answer.warnings) lines.push(`Warning: ${warning}`);
  if (answer.instructions !== "") lines.push("", answer.instructions);
  const { count, last } = answer.history;
  if (count > 0) lines.push("", `Completed so far: ${count}. Last: ${last.map(({ action }) => action).join(", ")}.`);
  return lines.join("\n");
}
