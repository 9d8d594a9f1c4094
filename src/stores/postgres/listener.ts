import { setTimeout as wait } from "node:timers/promises";
import type { Sql } from "postgres";

/** Listens on a channel until stopped. */
export type Listener = { stop(): void };

export type ListenerParts = {
  readonly channel: string;
  /** Opens a separate connection that reports notifications and its loss. */
  connect(heard: (payload: string) => void, lost: () => void): Sql;
  /** Rejects until the schema exists. */
  prepare(): Promise<void>;
  readonly heard: (payload: string) => void;
  /** Called once it listens, and after every gap. */
  readonly missed: () => void;
};

/** The time between two attempts, in milliseconds. */
const betweenTries = 200;

/**
 * Listens, and reconnects for as long as it takes: a restart or failover lasts longer than one attempt. (The library's own `listen`
 * retries once.)
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
