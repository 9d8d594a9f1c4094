import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolders } from "./make-folders.ts";

function place(): string {
  const folder = mkdtempSync(join(tmpdir(), "waymark-folders-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("folders are made down to the last one, and the topmost that was missing is named", () => {
  const top = place();
  expect(makeFolders(join(top, "a/b/c"), 0o700)).toBe(join(top, "a"));
  expect(statSync(join(top, "a/b/c")).mode & 0o777).toBe(0o700);
  expect(makeFolders(join(top, "a/b/c"))).toBeUndefined();
  expect(makeFolders(join(top, "a/b/d"))).toBe(join(top, "a/b/d"));
});

test("a file in the way is no folder", () => {
  const top = place();
  writeFileSync(join(top, "file"), "");
  for (const path of ["file", "file/below"]) expect(() => makeFolders(join(top, path))).toThrow();
});

test.runIf(existsSync("/proc/self"))("where a system takes no folders, that is said, and it ends", () => {
  expect(() => makeFolders("/proc/waymark-nowhere/below")).toThrow("ENOENT");
});
