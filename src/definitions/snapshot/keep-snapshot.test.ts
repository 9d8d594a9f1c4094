import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  promises,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import type { DefinitionSnapshot } from "../../engine/ports/definition-snapshot.ts";
import { type FolderWatch, folderWatch } from "../../kit/folder-watch.ts";
import { readText } from "../files/json-file.ts";
import { filesOf } from "./files-of.testing.ts";
import { keepSnapshot, readSnapshot } from "./keep-snapshot.ts";
import { listFolder } from "./list-folder.ts";
import { readTextFile } from "./read-text-file.ts";

/** A definitions folder beside a folder that is not part of it, and a keeper of it that is closed after the test. */
function plant(watch?: FolderWatch) {
  const root = mkdtempSync(join(tmpdir(), "waymark-snapshot-"));
  const folder = join(root, ".waymark");
  for (const one of [join(folder, "bots/b"), join(folder, "workflows"), join(root, "outside")])
    mkdirSync(one, { recursive: true });
  const keeper = keepSnapshot(folder, undefined, watch);
  onTestFinished(() => {
    keeper.close();
    rmSync(root, { recursive: true, force: true });
  });
  const at = (path: string): string => join(folder, path);
  const read = async (path: string): Promise<unknown> => readText(await keeper.current(), at(path));
  return { root, folder, keeper, at, read, write: (path: string, text: string) => writeFileSync(at(path), text) };
}

/** A watch that hears nothing, as on a system that cannot watch. */
const deaf = (): FolderWatch => ({ cover: () => false, changes: async () => Number.NaN, close() {} });
const settled = (ms = 150): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, ms));

function spyOn(name: "lstat" | "readdir") {
  return vi.spyOn(promises, name);
}

/** What loaders can see of a snapshot. */
function seen({ entries, folder, ...definitions }: DefinitionSnapshot): unknown {
  const plain = [...entries].map(([path, entry]) => {
    if (entry.kind !== "file") return [path, entry];
    return [path, entry.text, entry.problem];
  });
  const all = { entries, folder, ...definitions };
  const listed = [...entries.keys()].map((path) => [path, listFolder(all, path), readTextFile(all, path)]);
  return { plain: plain.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)), listed: listed.sort() };
}

const names = ["bots/b/a.md", "bots/b/b.md", "bots/b/sub", "bots/b/sub/a.md", "workflows/w.md", "workflows/v"];
const name = fc.constantFrom(...names);
const change = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), path: name, text: fc.constantFrom("one", "two", "long text") }),
  fc.record({ kind: fc.constant("remove" as const), path: name }),
  fc.record({ kind: fc.constant("rename" as const), path: name, to: name }),
  fc.record({ kind: fc.constant("folder" as const), path: name }),
  fc.record({ kind: fc.constant("link" as const), path: name, to: fc.oneof(name, fc.constant("../outside")) }),
);

function apply(folder: string, one: typeof change extends fc.Arbitrary<infer Change> ? Change : never): void {
  const path = join(folder, one.path);
  try {
    if (one.kind === "write") writeFileSync(path, one.text);
    if (one.kind === "rename") renameSync(path, join(folder, one.to));
    if (one.kind === "folder") mkdirSync(path);
    if (one.kind === "remove" || one.kind === "link") rmSync(path, { recursive: true, force: true });
    if (one.kind === "link") symlinkSync(join(folder, one.to), path);
  } catch {
    // A change that cannot be made changes nothing.
  }
}

test.each([
  ["nothing can be watched", deaf],
  ["folders are watched", folderWatch],
])("after any changes the snapshot equals a fresh read, %s", async (_, watch) => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 6 }), async (rounds) => {
      const root = mkdtempSync(join(tmpdir(), "waymark-model-"));
      const folder = join(root, ".waymark");
      mkdirSync(join(root, "outside"));
      mkdirSync(join(folder, "bots/b"), { recursive: true });
      mkdirSync(join(folder, "workflows"));
      const heard = watch();
      const keeper = keepSnapshot(folder, undefined, {
        ...heard,
        cover: (folders) => heard.cover(folders),
      });
      try {
        for (const round of rounds) {
          for (const one of round) apply(folder, one);
          const now = await keeper.current();
          expect(seen(now)).toEqual(seen(filesOf(folder)));
          heard.cover([folder, join(folder, "bots"), join(folder, "bots/b"), join(folder, "workflows")]);
          expect(seen(await keeper.current())).toEqual(seen(await readSnapshot(folder)));
        }
      } finally {
        keeper.close();
        rmSync(root, { recursive: true, force: true });
      }
    }),
    { numRuns: wholeOr(60, 25) },
  );
});

test("once its folders are watched, a call reads nothing until something changes", async () => {
  const { keeper, write, read, folder } = plant();
  write("bots/b/a.md", "one");
  await settled();
  const first = await keeper.current();
  const asked = spyOn("lstat");
  // What the watch hears late, on a slow machine, is read once more.
  await expect
    .poll(async () => {
      asked.mockClear();
      return (await keeper.current()) === first && asked.mock.calls.length;
    })
    .toBe(0);
  asked.mockRestore();
  write("bots/b/a.md", "two");
  expect(await read("bots/b/a.md")).toBe("two");
  mkdirSync(join(folder, "bots/b/sub"));
  write("bots/b/sub/b.md", "below");
  expect(await read("bots/b/sub/b.md")).toBe("below");
  rmSync(join(folder, "bots/b"), { recursive: true });
  mkdirSync(join(folder, "bots/b"));
  write("bots/b/c.md", "three");
  expect(await read("bots/b/c.md")).toBe("three");
  write("bots/b/c.md", "four");
  expect(await read("bots/b/c.md")).toBe("four");
});

test("a snapshot never changes, and equal content is the same snapshot", async () => {
  const { keeper, write, at } = plant(deaf());
  write("bots/b/a.md", "one");
  const before = await keeper.current();
  const made = vi.fn(() => readText(before, at("bots/b/a.md")));
  expect([before.derived("a", made), before.derived("a", made)]).toEqual(["one", "one"]);
  expect(made).toHaveBeenCalledTimes(1);
  expect(await keeper.current()).toBe(before);
  write("journal.txt.tmp", "");
  write("bots/b/a.md", "two");
  const after = await keeper.current();
  expect([before, after].map((one) => readText(one, at("bots/b/a.md")))).toEqual(["one", "two"]);
  expect(after.version).not.toBe(before.version);
});

test("a change of the same size that keeps the file's time is seen", async () => {
  const { write, read, at } = plant(deaf());
  const past = new Date(Date.now() - 60_000);
  for (const text of ["one", "two", "six"]) {
    write("bots/b/a.md", text);
    utimesSync(at("bots/b/a.md"), past, past);
    expect(await read("bots/b/a.md")).toBe(text);
  }
});

test("calls that begin together share one renewal, and one that begins later sees what came between", async () => {
  const { keeper, write, read } = plant(deaf());
  write("bots/b/a.md", "one");
  const [first, second] = [keeper.current(), keeper.current()];
  expect(await first).toBe(await second);
  const under = keeper.current();
  await new Promise((resolve) => setImmediate(resolve));
  write("bots/b/a.md", "two");
  expect(await read("bots/b/a.md")).toBe("two");
  await under;
});

test("a shortage of the machine does not look like a missing file", async () => {
  const { keeper, write, read } = plant(deaf());
  write("bots/b/a.md", "one");
  const full = Object.assign(new Error("too many open files"), { code: "EMFILE" });
  const readdir = spyOn("readdir");
  readdir.mockRejectedValueOnce(full);
  await expect(keeper.current()).rejects.toThrow("too many open files");
  readdir.mockRestore();
  expect(await read("bots/b/a.md")).toBe("one");
});

test("files that a gate or a text names outside the usual parts are part of the snapshot", async () => {
  const { folder, at, read } = plant();
  for (const place of ["shared", "schemas", "journal"]) mkdirSync(join(folder, place));
  writeFileSync(at("bots/b/instructions.md"), "Follow {{../../shared/tone.md}}.");
  writeFileSync(at("shared/tone.md"), "Be kind.");
  writeFileSync(at("schemas/report.json"), "{}");
  writeFileSync(at("journal/b.jsonl"), "{}");
  writeFileSync(
    at("bots/b/gate-definition.yaml"),
    "checks:\n  - file: r.json\n    name: r\n    schema: schemas/report.json\n",
  );
  expect(await read("shared/tone.md")).toBe("Be kind.");
  expect(await read("schemas/report.json")).toBe("{}");
  expect(await read("journal/b.jsonl")).toBeUndefined();
  await settled(300);
  expect(await read("schemas/report.json")).toBe("{}");
  writeFileSync(at("schemas/report.json"), "[]");
  expect(await read("schemas/report.json")).toBe("[]");
  rmSync(at("shared"), { recursive: true });
  expect(await read("shared/tone.md")).toBeUndefined();
  mkdirSync(at("shared"));
  writeFileSync(at("shared/tone.md"), "Be brief.");
  expect(await read("shared/tone.md")).toBe("Be brief.");
});

test.runIf(process.getuid?.() !== 0)("a file that cannot be read says so", async () => {
  const { keeper, write, at } = plant(deaf());
  write("bots/b/a.md", "one");
  chmodSync(at("bots/b/a.md"), 0);
  expect(readTextFile(await keeper.current(), at("bots/b/a.md"))).toEqual({ unreadable: "it cannot be read (EACCES)" });
});
