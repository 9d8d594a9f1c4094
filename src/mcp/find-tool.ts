import type { ServedBot } from "../engine/ports/definitions.ts";

/** Finds the bot, and the behavior if it has one, of a tool name. */
export function findTool(bots: readonly ServedBot[], tool: string): { bot: ServedBot; behavior?: string } | undefined {
  for (const bot of bots) {
    if (bot.tool === tool) return { bot };
    const behavior = bot.behaviors.find((candidate) => candidate.tool === tool);
    if (behavior !== undefined) return { bot, behavior: behavior.name };
  }
  return undefined;
}
