import type { ServedBot } from "../engine/ports.ts";

/** The bot, and the behavior where it is one's, that a tool name stands for. */
export function findTool(bots: readonly ServedBot[], tool: string): { bot: ServedBot; behavior?: string } | undefined {
  for (const bot of bots) {
    if (bot.tool === tool) return { bot };
    const behavior = bot.behaviors.find((candidate) => candidate.tool === tool);
    if (behavior !== undefined) return { bot, behavior: behavior.name };
  }
  return undefined;
}
