import type { Engine } from "../engine/engine.ts";
import type { ServedBot } from "../engine/ports.ts";
import type { Desk } from "../workflow/desk.ts";

/** Which bot a completion is for: one, or several of which the caller has to name one, or none that is served. */
export type Meant = { readonly bot: ServedBot } | { readonly open: readonly string[] } | { readonly unknown: string };

/** Finds the bot that a completion means: the named one, else the one where the caller stands, else the one used last. */
export async function meantBot(
  bots: readonly ServedBot[],
  engineOf: (bot: string) => Promise<Pick<Engine, "glance">>,
  caller: string,
  asked: { readonly bot?: string | undefined; readonly lastUsed?: string | undefined },
): Promise<Meant> {
  const known = bots.map(({ name }) => name).join(", ");
  if (asked.bot !== undefined) {
    const named = bots.find(({ name, tool }) => name === asked.bot || tool === asked.bot);
    return named === undefined ? { unknown: `bot: no bot ${asked.bot}; there are ${known}` } : { bot: named };
  }
  const [first, second] = bots;
  if (first === undefined) return { unknown: `bot: no bot is served; there are ${known}` };
  if (second === undefined) return { bot: first };
  const standing = await Promise.all(
    bots.map(async (bot) => ({ bot, open: openOf(await (await engineOf(bot.name)).glance(), caller) })),
  );
  const busy = standing.filter(({ open }) => open.length > 0);
  const [only, another] = busy;
  if (only !== undefined && another === undefined) return { bot: only.bot };
  if (another !== undefined)
    return { open: busy.flatMap(({ bot, open }) => open.map((place) => `${bot.name}.${place}`)) };
  return { bot: bots.find(({ name }) => name === asked.lastUsed) ?? first };
}

/** What a caller opened at a desk and has not completed. */
function openOf({ standings, asides }: Desk, caller: string): string[] {
  const steps = (standings.get(caller) ?? []).map(({ workflow, step }) => `${workflow}.${step}`);
  const aside = [...asides].flatMap(([step, { status, openedBy }]) =>
    status === "started" && openedBy === caller ? [step] : [],
  );
  return [...steps, ...aside];
}
