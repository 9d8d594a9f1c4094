import { linkSync, mkdirSync, readdirSync, readFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { pages, standardsFolder } from "./folder.ts";

const filesFor = async (transport: ReturnType<ReturnType<typeof standardsFolder>["open"]>, query: string) =>
  (await transport.search(query)).results.map(({ file }) => file);

it("the next search knows what was changed, added, moved or removed, without a restart", async () => {
  const place = standardsFolder(pages);
  const transport = place.open();
  expect(await filesFor(transport, "zebra")).toEqual([]);
  place.write("ops/release.md", "# Release\n\nA zebra.\n");
  expect(await filesFor(transport, "zebra")).toEqual(["ops/release.md"]);
  place.write("new/deep/page.md", "# Zebra\n\nA zebra.\n");
  expect(await filesFor(transport, "zebra")).toEqual(["new/deep/page.md", "ops/release.md"]);
  place.write("new/deep/page.md", "# Horse\n\nA horse.\n");
  expect(await filesFor(transport, "zebra")).toEqual(["ops/release.md"]);
  place.remove("ops");
  expect(await filesFor(transport, "zebra")).toEqual([]);
});

it("a change of the same length at the same moment is seen", async () => {
  const place = standardsFolder({ "a.md": "# A\n\nzebra\n" });
  const transport = place.open();
  for (let round = 0; round < 30; round++) {
    const [word, other] = round % 2 === 0 ? ["horse", "zebra"] : ["zebra", "horse"];
    await transport.search("zebra");
    place.write("a.md", `# A\n\n${word}\n`);
    expect([await filesFor(transport, word), await filesFor(transport, other)]).toEqual([["a.md"], []]);
  }
});

it("a change that the system does not report is noticed when the file is to be shown", async () => {
  const place = standardsFolder({ "a.md": "# A\n\nzebra and horse\n" });
  linkSync(join(place.folder, "a.md"), join(place.root, "other-name"));
  const transport = place.open();
  await transport.search("nothing");
  writeFileSync(join(place.root, "other-name"), "# A\n\nhorse and cow\n");
  expect((await transport.search("horse")).results[0]?.content).toBe("# A\n\nhorse and cow");
});

it("another process reads the saved index, and only what has changed since", async () => {
  const place = standardsFolder(pages);
  const first = place.open();
  await first.ready();
  await first.close();
  place.write("gates.md", "# Gates\n\nA zebra.\n");
  const transport = place.open();
  expect(await filesFor(transport, "zebra")).toEqual(["gates.md"]);
  expect(await filesFor(transport, "undo")).toEqual(["ops/rollback.md"]);
  await transport.close();
  expect(readFileSync(place.indexFile).includes("zebra")).toBe(true);
});

it("a file that was only touched is not read as a new one", async () => {
  const place = standardsFolder(pages);
  const transport = place.open();
  await transport.ready();
  utimesSync(join(place.folder, "gates.md"), new Date(0), new Date(0));
  expect(await filesFor(transport, "approval")).toEqual(["gates.md"]);
});

it.each([
  ["cut off", (file: string) => truncateSync(file, 100)],
  ["overwritten", (file: string) => writeFileSync(file, Buffer.alloc(5000, 7))],
  ["empty", (file: string) => writeFileSync(file, "")],
])("an index that is %s is built anew, and the answer says so once", async (_, damage) => {
  const place = standardsFolder(pages);
  const first = place.open();
  await first.ready();
  await first.close();
  damage(place.indexFile);
  const transport = place.open();
  const { results, warnings } = await transport.search("undo");
  expect(results[0]?.file).toBe("ops/rollback.md");
  expect(warnings).toEqual(["The search index was damaged and is being rebuilt."]);
  expect((await transport.search("undo")).warnings).toEqual([]);
  await transport.close();
  expect((await place.open().search("undo")).warnings).toEqual([]);
});

it("while there is no index a scan answers, and says so; then the index does", async () => {
  const place = standardsFolder(pages);
  const transport = place.open({ patience: 0 });
  const { results, warnings } = await transport.search("undo releases");
  expect(results[0]).toMatchObject({ file: "ops/rollback.md", section: "Rollback" });
  expect(warnings).toEqual([
    "The search index is still being built, so this answer comes from a quick scan. Search again later for better results.",
  ]);
  await transport.ready();
  expect((await place.open().search("undo releases")).warnings).toEqual([]);
});

it("two processes build and save at the same time, and both indexes are whole", async () => {
  const place = standardsFolder(pages);
  const transports = [place.open(), place.open(), place.open()];
  await Promise.all(transports.map((transport) => transport.search("gate")));
  await Promise.all(transports.map((transport) => transport.close()));
  expect(readdirSync(dirname(place.indexFile))).toEqual(["standards.idx"]);
  expect((await place.open().search("undo")).warnings).toEqual([]);
});

it("searching at once from many sides gives each the same answer", async () => {
  const transport = standardsFolder(pages).open();
  const answers = await Promise.all(Array.from({ length: 8 }, () => transport.search("evidence")));
  for (const answer of answers) expect(answer.results).toEqual(answers[0]?.results);
});

it("an index that cannot be saved stops no search", async () => {
  const place = standardsFolder(pages);
  mkdirSync(place.indexFile, { recursive: true });
  writeFileSync(join(place.indexFile, "in-the-way"), "");
  const transport = place.open();
  expect(await filesFor(transport, "undo")).toEqual(["ops/rollback.md"]);
  await transport.close();
  const { warnings } = await transport.search("undo");
  expect(warnings.join()).toMatch(/^The search index cannot be saved; search works without it \(E\w+\)\.$/);
});
