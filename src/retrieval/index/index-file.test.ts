import fc from "fast-check";
import { expect, it } from "vitest";
import { dictionary } from "./dictionary.ts";
import { decodeIndex, encodeIndex } from "./index-file.ts";
import { postingsOf } from "./inverted.ts";
import { indexOf } from "./records.testing.ts";

const texts = {
  "a/gates.md": "---\ntags: [x, y]\n---\n# Gates\n\nA gate is closed.\n\n## Opening\n\nWith evidence.\n",
  "b.md": "# 東京 ✅\n\nNaïve text.\n",
  "empty.md": "",
};

async function example() {
  const { words, records } = await indexOf(texts);
  return { words, documents: records.map((record, at) => ({ record, key: `key ${at}`, isYoung: at === 1 })) };
}

it("what is saved is what is read back", async () => {
  const saved = await example();
  const read = decodeIndex(encodeIndex(saved));
  if (typeof read === "string") throw new Error(read);
  expect(read.documents.map(({ key, isYoung }) => [key, isYoung])).toEqual([
    ["key 0", false],
    ["key 1", true],
    ["key 2", false],
  ]);
  read.documents.forEach(({ record }, at) => {
    const { sections, terms, ...rest } = record;
    const before = saved.documents[at]?.record;
    expect(before).toMatchObject(rest);
    expect(Array.from(terms, (term) => read.words.words[term])).toEqual(
      Array.from(before?.terms ?? [], (term) => saved.words.words[term]),
    );
    if (record.places.length > 0) expect(sections()).toEqual(before?.sections());
  });
});

it("decoded postings equal those from counting the terms again", async () => {
  const read = decodeIndex(encodeIndex(await example()));
  if (typeof read === "string") throw new Error(read);
  const records = read.documents.map(({ record }) => record);
  expect(read.postings).toEqual(postingsOf(records, read.words.words.length));
});

it("words that no document holds are not saved", async () => {
  const { words, documents } = await example();
  words.add("unheardof");
  expect(encodeIndex({ words, documents }).includes("unheardof")).toBe(false);
  const none = decodeIndex(encodeIndex({ words: dictionary(), documents: [] }));
  expect(none).toMatchObject({ documents: [] });
});

it("an index with any byte changed, or cut anywhere, is not taken", async () => {
  const bytes = encodeIndex(await example());
  fc.assert(
    fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ change;
      expect(typeof decodeIndex(changed)).toBe("string");
      expect(typeof decodeIndex(bytes.subarray(0, at))).toBe("string");
    }),
  );
});

it("an index of another version is no damage", async () => {
  const bytes = encodeIndex(await example());
  bytes.write("WAYMARK index 99", 0, "latin1");
  expect(decodeIndex(bytes)).toBe("other");
});
