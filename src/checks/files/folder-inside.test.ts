import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isFolderInside } from "./folder-inside.ts";

const area = await mkdtemp(join(tmpdir(), "folder-inside-"));
afterAll(() => rm(area, { recursive: true, force: true }));

test("only a folder inside the area counts", async () => {
  await mkdir(join(area, "reports"));
  await writeFile(join(area, "file"), "");
  await symlink(tmpdir(), join(area, "out"));
  const asked = ["reports", "file", "out", "absent", "."].map(async (path) => [path, await isFolderInside(area, path)]);
  expect(Object.fromEntries(await Promise.all(asked))).toEqual({
    reports: true,
    file: false,
    out: false,
    absent: false,
    ".": true,
  });
});

test("a folder that comes and goes meanwhile is an answer, never a fault", async () => {
  const folder = join(area, "brief");
  let isOver = false;
  const comesAndGoes = (async () => {
    while (!isOver) {
      await mkdir(folder, { recursive: true });
      await rm(folder, { recursive: true, force: true });
    }
  })();
  const asked = Array.from({ length: 2000 }, () => isFolderInside(area, "brief"));
  expect((await Promise.allSettled(asked)).every(({ status }) => status === "fulfilled")).toBe(true);
  isOver = true;
  await comesAndGoes;
});
