import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { ServedBot } from "../engine/ports.ts";

/** A slash command for each behavior. */
export function listPrompts(bots: readonly ServedBot[]): Prompt[] {
  return bots.flatMap((bot) =>
    bot.behaviors.map(({ name, tool, description }) => ({
      name: tool,
      title: `${bot.name}: ${name}`,
      description: description === "" ? `Go to ${name}` : description,
    })),
  );
}

/** What a behavior's slash command says to the assistant. */
export function getPrompt(bots: readonly ServedBot[], name: string): GetPromptResult {
  const behavior = bots.flatMap((bot) => bot.behaviors).find(({ tool }) => tool === name);
  if (behavior === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
  const text = `Call the tool ${behavior.tool} and follow its instructions. If it asks whether to retry or continue, ask me.`;
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}
