import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { folderWatch } from "../retrieval/index/watch.ts";
import { listFolder } from "./folder.ts";
import { readText } from "./json-file.ts";
import { openShelf } from "./shelf.ts";

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
])("what is read is what stands there now, where %s", async (_, listener) => {
  const watch = listener();
  onTestFinished(() => watch?.close());
  const { folder, file, write } = plant();
  const below = join(folder, "sub/deep/b.md");
  const shelf = openShelf(watch);
  const both = (): Promise<unknown> =>
    shelf.remember("both", () => [readText(file), readText(below), listFolder(folder).files]);
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
  const shelf = openShelf();
  const make = vi.fn(() => readText(file));
  await settled();
  await shelf.remember("a", make);
  const before = make.mock.calls.length;
  writeFileSync(join(folder, "other.md"), "other");
  expect(await shelf.remember("a", make)).toBe("one");
  expect(make.mock.calls.length).toBe(before);
});

test("a file in a folder that nobody listens to yet is looked at each time, however quiet the others are", async () => {
  const [heard, unheard] = [plant(), plant()];
  const covered: string[] = [];
  const shelf = openShelf({ cover: (folders) => covered.push(...folders), isQuiet: async () => covered.length > 0 });
  await shelf.read("heard", () => readText(heard.file));
  await vi.waitUntil(() => covered.includes(heard.folder));
  const read = (): Promise<unknown> => shelf.read("unheard", () => readText(unheard.file));
  expect(await read()).toBe("one");
  unheard.write("two");
  expect(await read()).toBe("two");
});

test("what was made earlier is not taken for what stands there now, whatever had changed before it was made", async () => {
  const { folder } = plant();
  const gone = join(folder, "gone.md");
  const shelf = openShelf();
  const all = (): Promise<unknown> =>
    shelf.remember("all", () => listFolder(folder).files.map((name) => readText(join(folder, name))));
  // Two changes of one file; then it goes, and its folder is found changed twice: as many as before.
  for (const text of ["first", "second", "third"]) {
    writeFileSync(gone, text);
    await settled();
    expect(await all()).toEqual(["one", text]);
  }
  rmSync(gone);
  for (let round = 0; round < 5; round++) expect(await all()).toEqual(["one"]);
});

test("two who come at once read once, and both see what stands there", async () => {
  const { file } = plant();
  const shelf = openShelf();
  const make = vi.fn(() => readText(file));
  await settled();
  expect(await Promise.all([shelf.remember("a", make), shelf.remember("a", make)])).toEqual(["one", "one"]);
  expect(make.mock.calls.length).toBe(2); // once to find out what is wanted, once with it
});

test("what is added to a folder is noticed by each of two who look at it, whoever looked first", async () => {
  const { folder } = plant();
  const [one, other] = [openShelf(), openShelf()];
  const names = (shelf: typeof one): Promise<unknown> => shelf.remember("names", () => listFolder(folder).files);
  await settled();
  for (const shelf of [one, other]) expect(await names(shelf)).toEqual(["a.md"]);
  writeFileSync(join(folder, "b.md"), "");
  for (const shelf of [other, one]) expect(await names(shelf)).toEqual(["a.md", "b.md"]);
});
