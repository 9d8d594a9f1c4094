import type { BotAnswer } from "./bot-reply.ts";

/** How much of an answer its text repeats: all of it, or, where a host shows structured content as well, one line. */
export type TextForm = "whole" | "line";

/** The same answer as readable text, for clients that show only that. */
export function answerText(answer: BotAnswer, form: TextForm): string {
  const place = [answer.bot, answer.behavior, answer.action].filter((part) => part !== null).join(".");
  const first = `[${answer.status}] ${place}${answer.run === undefined ? "" : ` (run ${answer.run})`}`;
  const no =
    answer.error === undefined ? [] : [`${answer.error}: ${answer.message ?? ""}`, answer.required_action ?? ""];
  if (form === "line") return [first, ...no].join(" ");
  const { count, last } = answer.history;
  return [
    first,
    ...no,
    ...(answer.missing_evidence ?? []).map((gap) => `- ${gap}`),
    ...answer.warnings.map((warning) => `Warning: ${warning}`),
    ...(answer.kept === undefined ? [] : [`Kept: ${JSON.stringify(answer.kept)}`]),
    ...(answer.instructions === "" ? [] : ["", answer.instructions]),
    ...(answer.next === null ? [] : ["", `Call ${answer.next.tool} to open ${answer.next.action}.`]),
    ...(count === 0 ? [] : ["", `Completed so far: ${count}. Last: ${last.map(({ action }) => action).join(", ")}.`]),
  ].join("\n");
}
