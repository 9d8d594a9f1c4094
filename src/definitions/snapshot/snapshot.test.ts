import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { folderWatch } from "../../kit/folder-watch.ts";
import { readText } from "../files/json-file.ts";
import { listFolder } from "./list-folder.ts";
import { openSnapshot } from "./snapshot.ts";

/** A folder with one file, old enough to be remembered. */
function plant(): { folder: string; file: string; write(text: string): void } {
  const folder = mkdtempSync(join(tmpdir(), "waymark-shelf-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.md");
  const write = (text: string): void => {
    writeFileSync(file, text);
    utimesSync(file, 1, 1);
  };
  write("one");
  return { folder, file, write };
}

const settled = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, 150));

test.each([
  ["nobody listens", () => undefined],
  ["somebody listens", () => folderWatch()],
])("a read returns the current content, %s", async (_, listener) => {
  const watch = listener();
  onTestFinished(() => watch?.close());
  const { folder, file, write } = plant();
  const below = join(folder, "sub/deep/b.md");
  const snapshot = openSnapshot(watch);
  const both = (): Promise<unknown> =>
    snapshot.remember("both", () => [readText(file), readText(below), listFolder(folder).files]);
  await settled();
  expect(await both()).toEqual(["one", undefined, ["a.md"]]);
  for (let round = 0; round < 5; round++) {
    write(`text ${round}`);
    expect(await both()).toEqual([`text ${round}`, undefined, ["a.md"]]);
    await settled();
    expect(await both()).toEqual([`text ${round}`, undefined, ["a.md"]]);
  }
  mkdirSync(join(folder, "sub/deep"), { recursive: true });
  writeFileSync(below, "below");
  expect(await both()).toEqual(["text 4", "below", ["a.md"]]);
  rmSync(file);
  expect(await both()).toEqual([undefined, "below", []]);
});

test("what has not changed is not made again, whatever else goes on around it", async () => {
  const { folder, file } = plant();
  const snapshot = openSnapshot();
  const make = vi.fn(() => readText(file));
  await settled();
  await snapshot.remember("a", make);
  const before = make.mock.calls.length;
  writeFileSync(join(folder, "other.md"), "other");
  expect(await snapshot.remember("a", make)).toBe("one");
  expect(make.mock.calls.length).toBe(before);
});

test("a file in a folder that is not watched yet is checked each time, even if the others are quiet", async () => {
  const [heard, unheard] = [plant(), plant()];
  const covered: string[] = [];
  const snapshot = openSnapshot({
    cover: (folders) => covered.push(...folders),
    changes: async () => (covered.length > 0 ? 0 : Number.NaN),
  });
  await snapshot.read("heard", () => readText(heard.file));
  await vi.waitUntil(() => covered.includes(heard.folder), { timeout: 60_000 });
  const read = (): Promise<unknown> => snapshot.read("unheard", () => readText(unheard.file));
  expect(await read()).toBe("one");
  unheard.write("two");
  expect(await read()).toBe("two");
});

test("an earlier result is not taken for the current content, even if the change came before it", async () => {
  const { folder } = plant();
  const gone = join(folder, "gone.md");
  const snapshot = openSnapshot();
  const all = (): Promise<unknown> =>
    snapshot.remember("all", () => listFolder(folder).files.map((name) => readText(join(folder, name))));
  // Two changes of one file; then it goes, and its folder is found changed twice: as many as before.
  for (const text of ["first", "second", "third"]) {
    writeFileSync(gone, text);
    await settled();
    expect(await all()).toEqual(["one", text]);
  }
  rmSync(gone);
  for (let round = 0; round < 5; round++) expect(await all()).toEqual(["one"]);
});

test("two concurrent callers read once, and both see the current content", async () => {
  const { file } = plant();
  const snapshot = openSnapshot();
  const make = vi.fn(() => readText(file));
  await settled();
  expect(await Promise.all([snapshot.remember("a", make), snapshot.remember("a", make)])).toEqual(["one", "one"]);
  expect(make.mock.calls.length).toBe(2); // once to find out what is wanted, once with it
});

test("an addition to a folder is noticed by both of two readers, in any order", async () => {
  const { folder } = plant();
  const [one, other] = [openSnapshot(), openSnapshot()];
  const names = (snapshot: typeof one): Promise<unknown> => snapshot.remember("names", () => listFolder(folder).files);
  await settled();
  for (const snapshot of [one, other]) expect(await names(snapshot)).toEqual(["a.md"]);
  writeFileSync(join(folder, "b.md"), "");
  for (const snapshot of [other, one]) expect(await names(snapshot)).toEqual(["a.md", "b.md"]);
});
