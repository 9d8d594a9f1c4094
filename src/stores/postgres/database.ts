import { setTimeout as wait } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { Unavailable } from "../../kit/unavailable.ts";
import { databaseErrorKind, databaseErrorText } from "./database-errors.ts";
import { type Listener, startListener } from "./listener.ts";
import { migrate } from "./migrate.ts";
import { type StoreAddress, storeAddress } from "./store-address.ts";

/** A statement parameter. */
export type Value = string | number | null | Buffer;

/** A row by column name. */
export type Row = Readonly<Record<string, string | number | boolean | null | Buffer>>;

/** A PostgreSQL database with Waymark's schema. */
export type Database = {
  readonly schema: string;
  /** The notification channel of this schema. */
  readonly channel: string;
  /** The display name of the database, without password. */
  readonly place: string;
  /** Runs a statement. Every statement is idempotent, so one whose answer was lost is sent again; rejects with `Unavailable` after too long. */
  run(text: string, values: readonly Value[]): Promise<readonly Row[]>;
  /** Calls `heard` on every notification, and with undefined when one may have been missed. */
  listen(heard: (payload: string | undefined) => void): () => void;
  /** Notifies all listeners; best effort. */
  tell(payload: string): void;
  /** The statements that run or wait, and the most connections. */
  load(): { readonly open: number; readonly connections: number };
  close(): Promise<void>;
};

/** Retry time in milliseconds, connections, and idle seconds before one is closed. */
export type DatabaseOptions = { readonly patience?: number; readonly connections?: number; readonly idle?: number };

/** Opens a database by its address; connects at the first statement. */
export function openDatabase(url: string, options: DatabaseOptions = {}): Database {
  const { connections = 10, idle = 20 } = options;
  const address = storeAddress(url);
  const { schema, place } = address;
  const connect = (): Sql => connection(address, { max: connections, idle_timeout: idle });
  const channel = `waymark ${schema}`;
  let sql: Sql | undefined;
  let ready: Promise<void> | undefined;
  let checkedAt = 0;
  let open = 0;
  let listening: Listener | undefined;
  let isClosed = false;
  const heard = new Set<(payload: string | undefined) => void>();
  const news = new Set<string>();

  /** Drops a pool whose connections hang or lead to a read-only server; waiting callers get an error. */
  function renew(old: Sql): void {
    if (sql === old) sql = undefined;
    void old.end({ timeout: 0 }).catch(() => undefined);
  }

  async function attempt<T>(work: (sql: Sql) => Promise<T>, until: number): Promise<T> {
    if (isClosed) throw Object.assign(new Error("The store is closed."), { code: "CLOSED" });
    sql ??= connect();
    const used = sql;
    try {
      return await answeredBy(work(used), until);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "NO_ANSWER" || code === "25006") renew(used);
      throw error;
    }
  }

  async function trying<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const { patience = 10_000 } = options;
    const until = Date.now() + patience;
    for (let pause = 20; ; pause = Math.min(2 * pause, 400)) {
      try {
        return await attempt(work, Math.min(until, Date.now() + patience / 2));
      } catch (error) {
        const fault = databaseErrorKind(error);
        if (fault === "ours") throw error;
        if (fault === "set-up" || Date.now() + pause >= until) throw unavailable(place, fault, error);
        await wait(pause * (0.5 + Math.random()));
      }
    }
  }

  /** Checks the schema at the first use, after a failure, and whenever the last check is a second old. */
  async function prepare(): Promise<void> {
    if (Date.now() - checkedAt >= betweenChecks) ready = undefined;
    if (ready === undefined) checkedAt = Date.now();
    ready ??= trying((one) =>
      migrate({
        schema,
        ask: async (text) => one.unsafe(text),
        inTransaction: async (work) => void (await one.begin(async (tx) => work(async (text) => tx.unsafe(text)))),
      }),
    );
    const mine = ready;
    await mine.catch((error) => {
      if (ready === mine) ready = undefined;
      throw error;
    });
  }

  function startListening(): Listener {
    const missed = (): void => {
      for (const hear of heard) hear(undefined);
    };
    const tellAll = (payload: string): void => {
      for (const one of payload.split("\n")) for (const hear of heard) hear(one);
    };
    const listener = startListener({
      channel,
      connect: (hears, lost) =>
        connection(address, { max: 1, onclose: lost, onnotify: (_: string, payload: string) => hears(payload) }),
      prepare,
      heard: tellAll,
      missed,
    });
    const poll = setInterval(missed, betweenPolls);
    poll.unref();
    return {
      stop() {
        clearInterval(poll);
        listener.stop();
      },
    };
  }

  return {
    schema,
    channel,
    place,
    async run(text, values) {
      open += 1;
      try {
        await prepare();
        return await trying(async (one) => one.unsafe<Row[]>(text, [...values], { prepare: address.prepare }));
      } finally {
        open -= 1;
      }
    },
    load: () => ({ open, connections }),
    listen(hear) {
      heard.add(hear);
      listening ??= startListening();
      return () => {
        heard.delete(hear);
        if (heard.size > 0) return;
        listening?.stop();
        listening = undefined;
      };
    },
    tell(payload) {
      if (news.size === 0)
        setImmediate(() => {
          const all = [...news];
          news.clear();
          for (let at = 0; at < all.length && !isClosed; at += atOnce) {
            const payload = all.slice(at, at + atOnce).join("\n");
            sql
              ?.unsafe("select pg_notify($1, $2)", [channel, payload], { prepare: address.prepare })
              .catch(() => undefined);
          }
        });
      news.add(payload);
    },
    async close() {
      isClosed = true;
      listening?.stop();
      await sql?.end({ timeout: 2 }).catch(() => undefined);
    },
  };
}

/** A notification has at most 7,999 bytes, each of ours at most 40. */
const atOnce = 150;

/** The milliseconds for which a check of the schema's version holds: another replica may bring a newer one. */
const betweenChecks = 1000;

/** The polling interval in milliseconds, since notifications may be lost. */
const betweenPolls = 1000;

function connection(
  { url, isOneOfSeveral }: StoreAddress,
  more: {
    readonly max: number;
    readonly idle_timeout?: number;
    onclose?(): void;
    onnotify?(channel: string, payload: string): void;
  },
): Sql {
  return postgres(url, {
    ...more,
    ...(isOneOfSeveral ? { target_session_attrs: "read-write" as const } : {}),
    connect_timeout: 5,
    fetch_types: false,
    backoff: (retries) => Math.min(0.02 * 2 ** retries, 1),
    onnotice: () => {}, // stdout carries the protocol
    connection: { application_name: "waymark" },
  });
}

/** The answer, or an error after too long; the statement may still run. */
async function answeredBy<T>(answer: Promise<T>, until: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const none = Object.assign(new Error("The database does not answer."), { code: "NO_ANSWER" });
    timer = setTimeout(() => reject(none), Math.max(1, until - Date.now()));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

function unavailable(place: string, fault: "passing" | "set-up", error: unknown): Unavailable {
  if (error instanceof Unavailable) return error;
  return new Unavailable(
    `The store ${place} is not available: ${databaseErrorText(error)}.`,
    fault === "passing"
      ? "Repeat the call in a moment; recorded work is safe, and nothing else happened."
      : "Ask the server's operator to check the store's address, user, password and database permissions.",
  );
}
