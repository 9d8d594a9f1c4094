import { setTimeout as wait } from "node:timers/promises";
import type { Sql } from "postgres";

/** Listens on a channel until it is stopped. */
export type Listener = { stop(): void };

export type ListenerParts = {
  readonly channel: string;
  /** A connection of its own, which says what it hears and when it is lost. */
  connect(heard: (payload: string) => void, lost: () => void): Sql;
  /** Rejects until there is something to listen to. */
  prepare(): Promise<void>;
  readonly heard: (payload: string) => void;
  /** Called once it listens, and again after every gap. */
  readonly missed: () => void;
};

/** Between two tries to listen again, in milliseconds. */
const betweenTries = 200;

/**
 * Listens, and listens again whenever the connection was lost, for as long as it takes: a database that restarts, or hands over
 * to its standby, is away for longer than one try. (The library's own `listen` tries once more and gives up.)
 */
export function startListener({ channel, connect, prepare, heard, missed }: ListenerParts): Listener {
  let isStopped = false;
  let isListening = false;
  let isTrying = false;
  const sql = connect(heard, () => void subscribe());

  async function subscribe(): Promise<void> {
    isListening = false;
    if (isTrying) return;
    isTrying = true;
    while (!isListening && !isStopped) {
      isListening = true; // unless the connection is lost again meanwhile
      try {
        await prepare();
        await sql.unsafe(`listen "${channel}"`);
      } catch {
        isListening = false;
        await wait(betweenTries, undefined, { ref: false });
      }
    }
    isTrying = false;
    if (!isStopped) missed();
  }

  void subscribe();
  return {
    stop() {
      isStopped = true;
      void sql.end({ timeout: 0 }).catch(() => undefined);
    },
  };
}
