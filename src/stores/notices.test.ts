import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { freshProject, postgresDatabase } from "../../test/postgres.ts";
import type { NoticeQueue, PendingNotice } from "../engine/ports/notice-queue.ts";
import { fileNotices } from "./file/file-notices.ts";
import { postgresNotices } from "./postgres/postgres-notices.ts";

const pending: PendingNotice = { stream: { kind: "bot", name: "story_bot" }, seq: 3, tries: 0, sent: [] };

/** Two processes on one queue. */
type Pair = () => Promise<readonly [NoticeQueue, NoticeQueue]>;

const inFiles: Pair = async () => {
  const area = mkdtempSync(join(tmpdir(), "waymark-notices-"));
  onTestFinished(() => rmSync(area, { recursive: true, force: true }));
  return [fileNotices(area), fileNotices(area)];
};
const inPostgres: Pair = async () => {
  const place = { database: await postgresDatabase(), project: freshProject(), area: async () => "" };
  return [postgresNotices(place), postgresNotices(place)];
};

describe.each([
  ["files", inFiles],
  ["PostgreSQL", inPostgres],
] as const)("notices to be sent, in %s", (_, open) => {
  test("an entry is claimed by one process at a time, once", async () => {
    const [one, other] = await open();
    const key = randomUUID();
    await one.put(key, pending);
    await other.put(key, { ...pending, tries: 9 });
    const [first, second] = await Promise.all([one.claim(10, 60), other.claim(10, 60)]);
    const all = [...first, ...second];
    expect(all.map((claimed) => [claimed.key, claimed.pending])).toEqual([[key, pending]]);
    expect(await other.claim(10, 60)).toEqual([]);
  });

  test("a claim that has run out is claimed again, and what is removed is gone", async () => {
    const [one, other] = await open();
    await one.put("a", pending);
    expect(await one.claim(10, 0)).toHaveLength(1);
    const [again] = await other.claim(10, 60);
    expect(again?.pending).toEqual(pending);
    if (again !== undefined) await other.remove(again);
    expect(await one.claim(10, 0)).toEqual([]);
  });

  test("a postponed entry keeps its state and its age, and is not due before its time", async () => {
    const [one, other] = await open();
    await one.put("a", pending);
    const [claimed] = await one.claim(10, 60);
    if (claimed === undefined) throw new Error("nothing was claimed");
    const tried = { ...pending, tries: 1, sent: ["waiting cloudevents https://a.example"] };
    await one.postpone(claimed, tried, 3600);
    expect(await other.claim(10, 60)).toEqual([]);
    await one.postpone(claimed, tried, 0);
    const [back] = await other.claim(10, 60);
    expect(back?.pending).toEqual(tried);
    expect(back?.age).toBeGreaterThanOrEqual(claimed.age);
  });

  test("no more are claimed than asked for, and the others stay", async () => {
    const [one, other] = await open();
    for (const key of ["a", "b", "c"]) await one.put(key, pending);
    expect(await one.claim(2, 60)).toHaveLength(2);
    expect(await other.claim(2, 60)).toHaveLength(1);
  });
});

test("a file that is not an entry is not sent and does not stop the others", async () => {
  const area = mkdtempSync(join(tmpdir(), "waymark-notices-"));
  onTestFinished(() => rmSync(area, { recursive: true, force: true }));
  const queue = fileNotices(area);
  await queue.put("a", pending);
  const folder = join(area, ".waymark/notices");
  const { writeFileSync } = await import("node:fs");
  writeFileSync(join(folder, `${"0".repeat(32)}.1`), "{");
  expect(await queue.claim(10, 60)).toHaveLength(1);
  expect(readdirSync(folder).filter((file) => !file.endsWith(".taken"))).toEqual([]);
});
