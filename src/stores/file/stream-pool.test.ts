import { expect, it } from "vitest";
import type { StoredRecord } from "../../engine/ports/event-log.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import type { FileStream } from "./file-stream.ts";
import { openStreamPool } from "./stream-pool.ts";

const session = (number: number): StreamId => ({ kind: "session", name: `session ${number}` });

/** A pool of two desks that only say whether they are open. */
function openPool() {
  const opened = new Set<string>();
  const unused = (): never => {
    throw new Error("Nobody asks for that here.");
  };
  const open = ({ name }: StreamId): FileStream => {
    opened.add(name);
    return {
      ...{ look: unused, stream: unused, append: unused, view: unused, publish: unused, repair: unused, shown: unused },
      async *records(): AsyncGenerator<StoredRecord> {
        for (let seq = 1; seq < 3; seq++) yield { seq, hash: "", text: "", events: [] };
      },
      isPublicationDue: () => false,
      close: () => opened.delete(name),
    };
  };
  return { pool: openStreamPool(open, 2), opened };
}

it("no more desks are open than may be, and the one that nobody has used for longest is closed first", async () => {
  const { pool, opened } = openPool();
  for (const number of [1, 2, 1, 3]) await pool.at(session(number), async () => undefined);
  expect([...opened].toSorted()).toEqual(["session 1", "session 3"]);
});

it("whoever waits for room is let in when a reader leaves, like when a call ends", async () => {
  const { pool, opened } = openPool();
  const readers = [1, 2].map((number) => pool.reading(session(number), (stream) => stream.records(0)));
  for (const reader of readers) await reader.next();
  let isIn = false;
  const third = pool.at(session(3), async () => {
    isIn = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect([isIn, opened.size]).toEqual([false, 2]);
  await readers[0]?.return(undefined);
  await third;
  expect([isIn, opened.size]).toEqual([true, 2]);
});

it("whoever reads several at once waits for nobody", async () => {
  const { pool, opened } = openPool();
  const readers = [1, 2, 3].map((number) => pool.reading(session(number), (stream) => stream.records(0)));
  for (const reader of readers) expect(await reader.next()).toMatchObject({ value: { seq: 1 } });
  for (const reader of readers) await reader.return(undefined);
  await pool.at(session(4), async () => undefined);
  expect(opened.size).toBeLessThanOrEqual(3);
});
