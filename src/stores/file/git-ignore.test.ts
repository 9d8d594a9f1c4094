import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ignoreEngineFiles } from "./git-ignore.ts";

function repository(): string {
  const root = mkdtempSync(join(tmpdir(), "waymark-ignore-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  execFileSync("git", ["init", "-q"], { cwd: root });
  return root;
}

function untracked(root: string): string[] {
  const said = execFileSync("git", ["status", "--porcelain", "-uall"], { cwd: root, encoding: "utf8" });
  return said.split("\n").flatMap((line) => (line === "" ? [] : [line.slice(3)]));
}

function fill(area: string): void {
  for (const folder of ["journal", "open", "bots/b"]) {
    mkdirSync(join(area, ".waymark", folder), { recursive: true });
    writeFileSync(join(area, ".waymark", folder, "x.jsonl"), "x");
  }
  for (const name of ["workflow_state.json", "activity_log.json"]) writeFileSync(join(area, name), "{}");
}

it("git passes over what the engine writes where init never ran, and over nothing else", () => {
  const root = repository();
  const area = join(root, "below");
  fill(area);
  ignoreEngineFiles(area, false);
  ignoreEngineFiles(area, false);
  expect(untracked(root)).toEqual(["below/.waymark/bots/b/x.jsonl"]);
});

it("where git keeps the histories, it goes on seeing them", () => {
  const root = repository();
  fill(root);
  ignoreEngineFiles(root, true);
  expect(untracked(root)).toEqual([".waymark/bots/b/x.jsonl", ".waymark/journal/x.jsonl"]);
});

it("without a repository nothing is written", () => {
  const root = mkdtempSync(join(tmpdir(), "waymark-ignore-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, ".waymark"));
  mkdirSync(join(root, ".git")); // a folder of that name is no repository
  ignoreEngineFiles(root, false);
  expect(() => rmSync(join(root, ".waymark/.gitignore"))).toThrow();
});
