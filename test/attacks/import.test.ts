import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sha256 } from "../../src/kit/sha256.ts";
import { runCli } from "../command-line.ts";
import { makeProject, type Project } from "../project.ts";
import { openWindow } from "../window.ts";

type Line = Record<string, unknown>;

/** A file of histories as somebody else gives it: one action, completed with a file, and what an attacker made of it. */
async function given(change: (lines: Line[]) => Line[]): Promise<{ readonly file: string; readonly into: Project }> {
  const project = makeProject();
  const window = await openWindow(project.root);
  await window.call("shape_bot");
  const content = [{ path: "docs/a.md", text: "# A\n" }];
  await window.call("complete_action", { confirmation: "yes", content });
  await window.close();
  const file = `${project.root}.history`;
  expect((await runCli(["export", "--history", file, "--root", project.root])).code).toBe(0);
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  const changed = change(lines.map((line) => JSON.parse(line)));
  writeFileSync(file, changed.map((line) => `${JSON.stringify(line).replace(`"${deep}"`, levels)}\n`).join(""));
  return { file, into: makeProject() };
}

const before = (lines: Line[], key: string, ...more: Line[]): Line[] =>
  lines.flatMap((line) => (key in line ? [...more, line] : [line]));
const changed = (lines: Line[], key: string, change: (value: never) => unknown): Line[] =>
  lines.map((line) => (key in line ? { ...line, [key]: change(line[key] as never) } : line));
/** Stands for more levels than can be written at once. */
const deep = "levels";
const levels = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
const evil = { path: "src/evil.js", bytes: 4, sha256: sha256("evil") };

test("a file of histories as export writes it is taken", async () => {
  const { file, into } = await given((lines) => lines);
  expect((await runCli(["import", file, "--root", into.root])).code).toBe(0);
  expect(into.read("docs/a.md")).toBe("# A\n");
});

// Attack (shell): Have a person import a file of histories that was made for it: content that no record names, paths that lead out, hidden lines, endless levels or lines
// -> Refused: nothing of it is brought in
test.each<readonly [string, (lines: Line[]) => Line[]]>([
  [
    "a file that no record names",
    (lines) =>
      changed(lines, "content", (one: { records: unknown[]; texts: object }) => ({
        ...one,
        records: [...one.records, evil],
        texts: { ...one.texts, [evil.sha256]: "evil" },
      })),
  ],
  ["a record that was set aside and is none", (lines) => before(lines, "end", { aside: "#!/bin/sh" })],
  [
    "lines hidden in one that was set aside",
    (lines) => before(lines, "end", { aside: `${lines.findLast((line) => "record" in line)?.record}\n{"forged":1}` }),
  ],
  ["a copy of a definition that no session keeps", (lines) => before(lines, "end", { pin: '{"phases":[]}' })],
  [
    "a name that moves the cursor of a terminal",
    (lines) => changed(lines, "desk", (stream: object) => ({ ...stream, name: "story_bot\u001b[2J" })),
  ],
  [
    "a run whose name leads out",
    (lines) => changed(lines, "desk", (stream: object) => ({ ...stream, run: "../../../outside" })),
  ],
  ["an area that leads out", (lines) => changed(lines, "desk", (stream: object) => ({ ...stream, area: "../.." }))],
  ["another head than its records have", (lines) => changed(lines, "head", () => "0".repeat(64))],
  [
    "a record that was changed",
    (lines) => changed(lines, "record", (text: string) => text.replace('"relayed"', '"elicited"')),
  ],
  ["no end", (lines) => lines.slice(0, -1)],
  ["levels without end", (lines) => before(lines, "end", { signed: { deep } })],
])("a file of histories with %s is refused, and nothing of it is brought in", async (_, change) => {
  const { file, into } = await given(change);
  const { code, stderr } = await runCli(["import", file, "--root", into.root]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/Nothing was imported|is incomplete/)]);
  expect(stderr).not.toContain("\u001b[2J");
  for (const path of [".waymark/journal", "docs/a.md", evil.path, ".waymark/pinned"])
    expect(existsSync(into.path(path)), path).toBe(false);
});

// Attack (shell): Have a person import records that it made up, all hashes right
// -> Not seen by `import`, which says how many records are new. Exposed by `verify --key` where heads were signed
test("a file of histories whose records somebody made up, with right hashes: not seen by import; the history is new here, and says so", async () => {
  const { file, into } = await given((lines) => lines);
  const { stdout } = await runCli(["import", file, "--root", into.root]);
  expect(stdout).toMatch(/2 records, 2 of them new/);
});
