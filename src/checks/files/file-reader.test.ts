import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import { changedBetween, type FilesRead, fileReader, type Reading } from "./file-reader.ts";
import { statFilesWith } from "./stat-files.ts";

function area(files: Readonly<Record<string, string>>): { root: string; write(path: string, text: string): void } {
  const root = mkdtempSync(join(tmpdir(), "waymark-reads-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { root, write };
}

async function read(root: string, reading: Partial<Reading> = {}, reader = fileReader()): Promise<FilesRead> {
  const found = await reader(root, { except: [], ...reading });
  if ("problem" in found) throw new Error(found.problem);
  return found;
}

const paths = async (root: string, reading: Partial<Reading> = {}) => [...(await read(root, reading)).keys()];

const work = {
  "src/a.ts": "a",
  "build/out.js": "made",
  "node_modules/x/index.js": "installed",
  "reports/junit.xml": "<testsuites/>",
  "workflow_state.json": "{}",
  "activity_log.json": "[]",
  ".waymark/config.json": "{}",
  "story_bot/shape/gather_context.md": "# Record",
};

describe("what a proof reads where its author does not say", () => {
  const reading = { except: ["reports/junit.xml"], never: ["story_bot/**/shape/*.md"] };

  test("is what git has or would take, but for reports and what Waymark writes", async () => {
    const { root, write } = area({ ...work, ".gitignore": "build/\nnode_modules/\n" });
    execFileSync("git", ["init", "-q", root]);
    expect(await paths(root, reading)).toEqual([".gitignore", "src/a.ts"]);
    write("src/new.ts", "not added yet");
    expect(await paths(root, reading)).toContain("src/new.ts");
  });

  test("is everything where there is no git, or git would take nothing of it", async () => {
    const { root } = area(work);
    expect(await paths(root, reading)).toEqual(["build/out.js", "src/a.ts"]);
    const outer = area({ ".gitignore": "inner/\n", "inner/src/a.ts": "a" });
    execFileSync("git", ["init", "-q", outer.root]);
    expect(await paths(join(outer.root, "inner"))).toEqual(["src/a.ts"]);
  });
});

test("what an author names is read though git ignores it", async () => {
  const { root } = area({ ...work, ".gitignore": "build/\nnode_modules/\n" });
  execFileSync("git", ["init", "-q", root]);
  expect(await paths(root, { globs: ["build/**", "src/*.ts"] })).toEqual(["build/out.js", "src/a.ts"]);
  expect(await paths(root, { globs: ["*.js"] })).toEqual(["build/out.js"]);
  expect(await paths(root, { globs: ["node_modules/x/**"] })).toEqual(["node_modules/x/index.js"]);
  expect(await paths(root, { globs: ["**/*.{json,xml}"], except: ["reports/junit.xml"] })).toEqual([]);
});

test("a file that is changed, gone, new, a link or made runnable is another reading, and is named", async () => {
  const { root, write } = area({ a: "1", b: "1", c: "1", d: "1" });
  symlinkSync("a", join(root, "link"));
  const before = await read(root);
  write("a", "2");
  rmSync(join(root, "b"));
  chmodSync(join(root, "c"), 0o755);
  rmSync(join(root, "link"));
  symlinkSync("d", join(root, "link"));
  write("e", "1");
  expect(changedBetween(before, await read(root)).filter((path) => path !== "d")).toEqual(["a", "b", "c", "e", "link"]);
});

describe("the hashes that are remembered", () => {
  test("are not fooled by edits of the same length in one tick of the clock, with the time put back", async () => {
    const { root } = area({ a: "0000" });
    const file = join(root, "a");
    const { atime, mtime } = statSync(file);
    const reader = fileReader();
    const seen = new Set<string | undefined>();
    const times = wholeOr(300, 60);
    for (let at = 0; at < times; at++) {
      writeFileSync(file, String(at).padStart(4, "0"));
      utimesSync(file, atime, mtime);
      seen.add((await read(root, {}, reader)).get("a"));
    }
    expect(seen.size).toBe(times);
  });

  test("are none of a file that was touched just now: a coarse clock would not tell its next edit from its last", async () => {
    const { root } = area({ a: "one" });
    let digests = 0;
    const reader = fileReader({ digest: async () => String(++digests) });
    for (const times of [1, 2, 3]) expect([await read(root, {}, reader), digests]).toEqual([expect.anything(), times]);
  });

  test("save reading what nobody has touched for a while; a touch is seen by its inode's own time, whatever it is dated", async () => {
    const { root, write } = area({ a: "one", b: "two" });
    const file = join(root, "a");
    const { atime, mtime, ctimeNs } = statSync(file, { bigint: true });
    let digests = 0;
    const reader = fileReader({
      now: () => Date.now() + 10_000, // later, without waiting
      digest: async (path) => {
        digests++;
        return `${path} ${digests}`;
      },
    });
    const first = await read(root, {}, reader);
    expect(await read(root, {}, reader)).toEqual(first);
    expect(digests).toBe(2);
    while (statSync(file, { bigint: true }).ctimeNs === ctimeNs) write("a", "eno");
    utimesSync(file, atime, mtime);
    expect(statSync(file).size).toBe(3);
    expect(changedBetween(first, await read(root, {}, reader))).toEqual(["a"]);
    expect(digests).toBe(3);
  });
});

test("many files are looked at in a thread of its own, which finds the same; without its program they are read all the same", async () => {
  const many = Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`src/${at % 12}/${at}.ts`, `${at}`]));
  const { root, write } = area(many);
  symlinkSync("src/0/0.ts", join(root, "link"));
  const folder = mkdtempSync(join(tmpdir(), "waymark-thread-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = join(folder, "stat-thread.mjs");
  const entry = join(import.meta.dirname, "stat-thread.ts");
  buildSync({ entryPoints: [entry], outfile: program, bundle: true, platform: "node", format: "esm" });
  const now = (): number => Date.now() + 10_000; // later, without waiting
  const [plain, threaded, broken] = [
    fileReader({ now }),
    fileReader({ now, look: statFilesWith(program) }),
    fileReader({ now, look: statFilesWith(join(folder, "none.mjs")) }),
  ];
  const first = await read(root, {}, plain);
  expect(first.size).toBe(1201);
  for (const reader of [threaded, threaded, broken]) expect(await read(root, {}, reader)).toEqual(first);
  const { ctimeNs } = statSync(join(root, "src/7/7.ts"), { bigint: true });
  while (statSync(join(root, "src/7/7.ts"), { bigint: true }).ctimeNs === ctimeNs) write("src/7/7.ts", "8");
  rmSync(join(root, "src/8/8.ts"));
  for (const reader of [plain, threaded, broken])
    expect(changedBetween(first, await read(root, {}, reader))).toEqual(["src/7/7.ts", "src/8/8.ts"]);
});
