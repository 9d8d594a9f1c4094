import type { ServedBot } from "../engine/ports.ts";
import { newSession, type Session } from "../engine/session.ts";

/** What one connection has opened, bot by bot. */
export type BotSessions = {
  of(bot: ServedBot): Session;
  /** The bot that a call means: the named one, else the one used last, else the first. */
  meant(bots: readonly ServedBot[], name: string | undefined): ServedBot | undefined;
};

/** A connection that has opened nothing yet. */
export function openSessions(connection: string): BotSessions {
  const sessions = new Map<string, Session>();
  let lastUsed: string | undefined;
  return {
    of({ name }) {
      lastUsed = name;
      const session = sessions.get(name) ?? newSession(connection);
      sessions.set(name, session);
      return session;
    },
    meant(bots, name) {
      if (name !== undefined) return bots.find((bot) => bot.name === name || bot.tool === name);
      return bots.find((bot) => bot.name === lastUsed) ?? bots[0];
    },
  };
}
