import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { EvidenceRule, EvidenceType, Gate } from "../../gates/gate.ts";
import { findGaps } from "../../gates/judge-evidence.ts";
import type { Json } from "../../kit/json.ts";
import { observeEvidence } from "./observe-evidence.ts";

const home = mkdtempSync(join(tmpdir(), "waymark-evidence-"));
const projectArea = join(home, "area");

beforeAll(() => {
  mkdirSync(join(projectArea, "docs/.hidden"), { recursive: true });
  for (const folder of [".waymark", ".kiro"]) mkdirSync(join(projectArea, folder));
  const files = ["area/docs/a.md", "area/.env", "area/.waymark/x", "secret.txt", "area/docs/.hidden/b.md"];
  for (const path of [...files, "area/.kiro/a.md", "area/.kiro/key", "area/.waymark/x.md", "area/.env.md"])
    writeFileSync(join(home, path), "x");
  symlinkSync(join(home, "secret.txt"), join(projectArea, "out.txt"));
  symlinkSync(home, join(projectArea, "up"));
  symlinkSync(join(projectArea, ".waymark"), join(projectArea, "state"));
  symlinkSync(join(projectArea, "docs/a.md"), join(projectArea, "link.md"));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function gapsFor(value: Json, type: EvidenceType, ...rules: EvidenceRule[]): Promise<string[]> {
  const requirements = [{ field: "f", type, required: true, description: "f", rules }];
  const gate: Gate = { requirements, comparisons: [], examples: {}, rulesHold: false, approval: false };
  return findGaps(gate, { f: value }, await observeEvidence({ projectArea }, gate, { f: value }));
}

const file = { kind: "file_exists" } as const;
const folder = { kind: "directory_exists" } as const;

test("a file that stands in the project area is proved, whichever way its path is written", async () => {
  for (const path of ["docs/a.md", "./docs/a.md", join(projectArea, "docs/a.md"), "link.md", ".kiro/a.md"])
    expect(await gapsFor(path, "string", file), path).toEqual([]);
  expect(await gapsFor(["docs/a.md", "link.md"], "list", file)).toEqual([]);
});

test("a folder is no file, a file is no folder, and what is not there is neither", async () => {
  expect(await gapsFor("docs", "string", folder)).toEqual([]);
  expect(await gapsFor("docs/", "string", folder)).toEqual([]);
  expect(await gapsFor("docs", "string", file)).toEqual([`f (validation failed: "docs" is not a file)`]);
  expect(await gapsFor("docs/a.md", "string", folder)).toEqual([`f (validation failed: "docs/a.md" is not a folder)`]);
  expect(await gapsFor("docs/b.md", "string", file)).toEqual([
    `f (validation failed: the file "docs/b.md" does not exist in the project area)`,
  ]);
  expect(await gapsFor("docs/a.md/c", "string", file)).toHaveLength(1);
  expect(await gapsFor(["docs/a.md", "docs/b.md"], "list", file)).toHaveLength(1);
  expect(await gapsFor(["docs/a.md", 7], "list", file)).toHaveLength(1);
  expect(await gapsFor([], "list", file)).toEqual(["f (validation failed: names no path)"]);
});

test("nothing outside the project area, in a dot-folder or behind a link that leads there is looked at", async () => {
  const paths = [
    "../secret.txt",
    "docs/../../secret.txt",
    join(home, "secret.txt"),
    "/etc/passwd",
    "C:/x",
    "out.txt",
    "up/secret.txt",
    ".env",
    ".env.md",
    ".kiro/key",
    ".waymark/x.md",
    ".Waymark/x.md",
    "state/x.md",
    ".waymark/x",
    "state/x",
    "docs/.hidden/b.md",
    "docs\\a.md",
    "docs//a.md",
    "docs/\u0000a.md",
    "x".repeat(401),
  ];
  for (const path of paths) {
    const [gap, ...more] = await gapsFor(path, "string", file);
    expect(gap, path).toMatch(/^f \(validation failed: /);
    expect(more).toEqual([]);
  }
});

test("a text is matched with a pattern that cannot hang the server", async () => {
  const pattern = { kind: "matches", pattern: "^(a+)+$", flags: "" } as const;
  expect(await gapsFor("aaa", "string", pattern)).toEqual([]);
  // A pattern that tries every way would never end with this.
  expect(await gapsFor(`${"a".repeat(50_000)}b`, "string", pattern)).toEqual([
    "f (validation failed: must be a match of /^(a+)+$/)",
  ]);
  expect(await gapsFor("HIGH", "string", { kind: "matches", pattern: "^high$", flags: "i" })).toEqual([]);
  expect(await gapsFor("a".repeat(100_001), "string", pattern)).toEqual([
    "f (validation failed: is longer than 100,000 characters, too long to match)",
  ]);
});

test("all patterns of a field must match", async () => {
  const both = [/^a/, /b$/].map(({ source }) => ({ kind: "matches", pattern: source, flags: "" }) as const);
  expect(await gapsFor("ab", "string", ...both)).toEqual([]);
  for (const text of ["ac", "cb", "c"]) expect(await gapsFor(text, "string", ...both)).toHaveLength(1);
});

test("what could not be looked at is not proved", async () => {
  expect(await gapsFor("x", "string", { kind: "matches", pattern: "(", flags: "" })).toEqual([
    "f (validation error: it could not be checked: it must be a match of /(/)",
  ]);
});
