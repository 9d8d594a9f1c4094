import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { wholeOr } from "../whole.ts";
import { pages, standardsFolder } from "./folder.ts";

it.each(["", "   ", "\n", "?!", "👍🎉", "the of and", "\0\0"])(
  "a query without a word is answered with nothing, and says so: %j",
  async (query) => {
    expect(await standardsFolder(pages).open().search(query)).toEqual({
      results: [],
      totalTokens: 0,
      warnings: ["The query has no words to search for."],
    });
  },
);

it.each([
  ["words", `undo ${"lorem ipsum dolor ".repeat(6000)}`],
  ["different words", `undo ${Array.from({ length: 15_000 }, (_, at) => `w${at}`).join(" ")}`],
  ["one word", `undo ${"x".repeat(100_000)}`],
])("a query of 100 KB is answered by its beginning: %s", async (_, query) => {
  const { results, warnings } = await standardsFolder(pages).open().search(query);
  expect(results[0]?.file).toBe("ops/rollback.md");
  expect(warnings).toEqual(["The query is too long; only its beginning was used."]);
});

it.each([
  "(undo|[a-z",
  "undo.*+?^$()|[]\\{}",
  "'; DROP TABLE undo; --",
  '%_" OR 1=1 undo',
  "undo 👩‍👩‍👧‍👦",
  "<undo/>",
  "__proto__ undo",
])("signs of other languages are only signs: %s", async (query) => {
  const { results } = await standardsFolder(pages).open().search(query);
  expect(results[0]?.file).toBe("ops/rollback.md");
});

it("names that every object has are only words", async () => {
  const transport = standardsFolder({ "a.md": "# constructor\n\n__proto__ toString valueOf hasOwnProperty\n" }).open();
  for (const query of ["constructor", "__proto__", "toString", "hasOwnProperty"])
    expect((await transport.search(query)).results).toHaveLength(1);
});

it("any query gets an answer", async () => {
  const transport = standardsFolder(pages).open();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary" }), fc.integer(), fc.integer(), async (query, limit, budget) => {
      const { results } = await transport.search(query, { limit, budget });
      expect(results.length).toBeLessThanOrEqual(Math.max(1, limit));
    }),
    { numRuns: wholeOr(50, 15) },
  );
});

it("a file that is no text, or much too large, is named where nothing fits, and beside no answer that does", async () => {
  const place = standardsFolder({ ...pages, "image.md": Buffer.from([0x89, 0x50, 0, 1, 2]), "huge.md": "# Huge\n" });
  truncateSync(join(place.folder, "huge.md"), 50 * 1024 * 1024);
  const standards = place.open();
  const found = await standards.search("undo");
  expect([found.results[0]?.file, found.warnings]).toEqual(["ops/rollback.md", []]);
  expect((await standards.search("zanzibar")).warnings).toEqual([
    "huge.md: is larger than 2 MB and is not searched.",
    "image.md: is not text and is not searched.",
  ]);
});

it("text that is not UTF-8, without line ends, or all line ends, is read as well as it can be", async () => {
  const transport = standardsFolder({
    "latin.md": Buffer.from("# Caf\xe9\n\nundo latin", "latin1"),
    "line.md": `undo ${"word ".repeat(100_000)}`,
    "blank.md": "\n".repeat(10_000),
    "empty.md": "",
    "fence.md": "```\nundo, never closed\n# no heading\n",
    "cr.md": "# Old\r\rundo mac\r",
  }).open();
  const { results, totalTokens } = await transport.search("undo", { limit: 10 });
  expect(results.map(({ file }) => file).sort()).toEqual(["cr.md", "fence.md", "latin.md", "line.md"]);
  expect(totalTokens).toBeLessThanOrEqual(600);
});

it("links are not followed: not in circles, not twice, and not out of the folder", async () => {
  const outside = mkdtempSync(join(tmpdir(), "waymark-outside-"));
  onTestFinished(() => rmSync(outside, { recursive: true }));
  writeFileSync(join(outside, "secret.md"), "# Undo\n\nundo undo undo\n");
  const place = standardsFolder(pages);
  symlinkSync(place.folder, join(place.folder, "ops/circle"));
  symlinkSync(join(place.folder, "ops/rollback.md"), join(place.folder, "again.md"));
  symlinkSync("nowhere.md", join(place.folder, "dangling.md"));
  symlinkSync("self.md", join(place.folder, "self.md"));
  symlinkSync(join(outside, "secret.md"), join(place.folder, "secret.md"));
  symlinkSync(outside, join(place.folder, "outside"));
  const standards = place.open();
  const { results } = await standards.search("undo", { limit: 10 });
  expect(results.map(({ file }) => file)).toEqual(["ops/rollback.md"]);
  const { warnings } = await standards.search("zanzibar");
  expect([...warnings].sort()).toEqual([
    "outside is a link to a place outside the standards folder and is not followed.",
    "secret.md is a link to a place outside the standards folder and is not followed.",
  ]);
});

it("a folder named like a file, and a folder that is not there, are no trouble", async () => {
  const place = standardsFolder(pages);
  mkdirSync(join(place.folder, "folder.md"));
  expect((await place.open().search("undo")).results).toHaveLength(1);
  place.remove(".");
  const { results, warnings } = await place.open().search("undo");
  expect({ results, warnings }).toEqual({ results: [], warnings: [] });
});

it("files that vanish and come back while they are indexed and searched never break an answer", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`p${at}.md`, `# P${at}\n\nundo ${"word ".repeat(300 + at)}\n`]),
  );
  const place = standardsFolder({ ...pages, ...many });
  const transport = place.open({ patience: 1 });
  const searches = Array.from({ length: 20 }, async (_, at) => {
    await new Promise((resolve) => setTimeout(resolve, at));
    if (at % 2 === 0) place.remove(`p${at}.md`);
    else place.write(`p${at - 1}.md`, `# Back ${at}\n\nundo\n`);
    return transport.search("undo", { limit: 10 });
  });
  for (const { results } of await Promise.all(searches)) expect(results.length).toBeGreaterThan(0);
  await transport.ready();
  expect((await transport.search("undo", { limit: 100, budget: 100_000 })).results.length).toBe(41);
});
