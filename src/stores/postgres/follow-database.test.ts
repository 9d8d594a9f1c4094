import { expect, test } from "vitest";
import { streamName } from "../../workflow/stream-id.ts";
import type { Database } from "./database.ts";
import { followArea } from "./follow-database.ts";

test("a record that was added before the first look was answered is told", async () => {
  const answers: Record<string, readonly object[]> = {
    newest: [{ added: "1200" }],
    addedSince: [{ desk: JSON.stringify(["session", "one", ""]), added: "1200" }],
  };
  const asked: unknown[] = [];
  const run = async (statement: string, values: readonly unknown[]) => {
    asked.push([statement, ...values]);
    return answers[statement];
  };
  const database = { run, listen: () => () => undefined } as unknown as Database;
  const told = await new Promise<readonly string[]>((resolve) => {
    const statements = { newest: "newest", addedSince: "addedSince" };
    const place = { database, project: "p", area: async () => "" };
    const stop = followArea(place, statements, (ids) => {
      stop();
      resolve(ids.map(streamName));
    });
  });
  expect(told).toEqual(["session one"]);
  expect(asked).toEqual([
    ["newest", "p", ""],
    ["addedSince", "p", "", "1100"],
  ]);
});
