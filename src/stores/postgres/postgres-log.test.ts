import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { freshProject, postgresDatabase } from "../../../test/postgres.ts";
import { startedExample } from "../../testing/example-events.ts";
import type { StreamId } from "../../workflow/stream-id.ts";
import { postgresLog } from "./postgres-log.ts";

const id: StreamId = { kind: "bot", name: "story_bot" };

/** Something that fails the first so many times it is asked for. */
function failing<T>(times: number, value: T): () => T {
  let left = times;
  return () => {
    if (left-- > 0) throw new Error("Not just now.");
    return value;
  };
}

it("what this machine remembers is looked for again where it could not be had", async () => {
  const witness = failing(1, undefined);
  const log = postgresLog({
    database: await postgresDatabase(),
    project: freshProject(),
    area: async () => "",
    witness,
  });
  onTestFinished(log.close);
  await expect(log.load(id)).rejects.toThrow("Not just now.");
  expect((await log.load(id)).seen).toBe(0);
});

it("whoever follows while it cannot be told where the area belongs is told of what is recorded afterwards, and nothing ends", async () => {
  const place = { database: await postgresDatabase(), project: freshProject() };
  const area = failing(3, "");
  const [far, near] = [
    postgresLog({ ...place, area: async () => area() }),
    postgresLog({ ...place, area: async () => "" }),
  ];
  let told = 0;
  onTestFinished(far.watch(id, () => void told++));
  await wait(100);
  await near.append(id, 0, [startedExample(1)], { onFault: "refuse" });
  await expect.poll(() => told).toBeGreaterThan(0);
});
