import fc from "fast-check";
import { expect, it } from "vitest";
import { wholeOr } from "../../../test/whole.ts";
import { parseQuery } from "../answer/query.ts";
import { resolveQuery } from "../answer/resolve-query.ts";
import { indexOf } from "../index/records.testing.ts";
import { rankFiles } from "./rank.ts";
import { visibleOf } from "./visible-documents.ts";

async function search(
  files: Readonly<Record<string, string>>,
  query: string,
  limit = 3,
  hidden: readonly string[] = [],
) {
  const { index } = await indexOf(files);
  const visible = Uint8Array.from(index.documents, ({ file }) => (hidden.includes(file) ? 0 : 1));
  const shown = visibleOf(index, visible);
  return rankFiles(index, shown, resolveQuery(parseQuery(query), index, shown).weights, limit).map(
    ({ document, score, passages }) => ({
      file: index.documents[document]?.file,
      score,
      section: index.documents[document]?.sections()[(passages[0] ?? 0) - (index.firstUnits[document] ?? 0) - 1],
    }),
  );
}
const filesFound = async (...args: Parameters<typeof search>) => (await search(...args)).map(({ file }) => file);

it("a word in the title says more than the same word in the text", async () => {
  const files = {
    "a.md": "# Notes\n\nWhat to do about a timeout.\n",
    "b.md": "# Timeout\n\nWhat to do about those.\n",
    "c.md": "# Other\n\nNothing.\n",
  };
  expect(await filesFound(files, "timeout")).toEqual(["b.md", "a.md"]);
});

it("a rare word says more than a common one", async () => {
  const files = {
    "a.md": "# A\n\ngate gate gate\n",
    "b.md": "# B\n\ngate journal\n",
    "c.md": "# C\n\ngate\n",
    "d.md": "# D\n\ngate\n",
  };
  expect((await filesFound(files, "gate journal"))[0]).toBe("b.md");
});

it("the passage shown is the one that answers, not the one that comes first", async () => {
  const text = "# Guide\n\nIntroduction.\n\n## Rollback\n\nHow to undo a release.\n\n## Other\n\nRest.\n";
  expect((await search({ "a.md": text }, "undo release"))[0]?.section).toBe("Guide > Rollback");
});

it("a whole file on the subject comes before a file that mentions it once", async () => {
  const about = "# Work\n\n## One\n\nCache keys.\n\n## Two\n\nCache size.\n\n## Three\n\nCache age.\n";
  const once = "# Work\n\n## One\n\nCache keys.\n\n## Two\n\nPaper size.\n\n## Three\n\nWine age.\n";
  expect((await filesFound({ "a.md": once, "b.md": about }, "cache"))[0]).toBe("b.md");
});

it("a question that a document lists finds it, and the answer is not the list", async () => {
  const listed =
    "# Page\n\n## Questions this answers\n\n- Who watches the watchmen at night?\n\n## Duty\n\nThe elders watch.\n";
  const head = "---\nquestions: [Who watches the watchmen at night?]\n---\n# Sheet\n\nThe elders watch.\n";
  const other = "# Watchmen\n\nWatchmen stand at the door all night, and others watch.\n";
  for (const text of [listed, head]) {
    const [best] = await search({ "a.md": other, "b.md": text }, "who watches the watchmen at night");
    expect(best).toMatchObject({ file: "b.md" });
    expect(best?.section).not.toContain("Questions");
  }
});

it("tags and paths are found", async () => {
  const files = {
    "ops/rollback.md": "# A\n\nText.\n",
    "b.md": "---\ntags: [security]\n---\n# B\n\nText.\n",
    "c.md": "# C\n\nText.\n",
  };
  expect(await filesFound(files, "rollback")).toEqual(["ops/rollback.md"]);
  expect(await filesFound(files, "security")).toEqual(["b.md"]);
});

it("equal files come in the order of their names", async () => {
  const files = { "b.md": "# X\n\nequal\n", "a.md": "# X\n\nequal\n", "c.md": "# X\n\nequal\n" };
  expect(await filesFound(files, "equal")).toEqual(["a.md", "b.md", "c.md"]);
});

it("words of the best passages order who follows after the third, among those that hold a word of the query", async () => {
  const files = Object.fromEntries([
    ...["a", "b", "c"].map((name) => [`${name}.md`, `# Saving\n\nsaving journal durable append ${name}\n`]),
    ["w.md", "# w\n\nappend durable journal\n"],
    ["x.md", "# x\n\nsaving wine in a cellar\n"],
    ["y.md", "# y\n\nsaving is durable if you append to a journal that others read as well\n"],
  ]);
  expect(await filesFound(files, "saving", 10)).toEqual(["a.md", "b.md", "c.md", "y.md", "x.md"]);
});

const word = fc.constantFrom("gate", "step", "phase", "evidence", "run", "desk");
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => `# ${words[0]}\n\n${words.join(" ")}\n`);

it("what is hidden changes nothing: not the order, not the scores, not the passages", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 8 }),
      fc.array(text, { minLength: 1, maxLength: 8 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(2, 10),
      async (shown, hidden, query, limit) => {
        const open = Object.fromEntries(shown.map((text, at) => [`s${at}.md`, text]));
        const closed = Object.fromEntries(hidden.map((text, at) => [`h${at}.md`, text]));
        const withHidden = await search({ ...open, ...closed }, query.join(" "), limit, Object.keys(closed));
        expect(withHidden).toEqual(await search(open, query.join(" "), limit));
      },
    ),
    { numRuns: wholeOr(60, 20) },
  );
});

it("which of equal words count as feedback does not depend on what is hidden", async () => {
  const words = Array.from({ length: 20 }, (_, at) => `zq${String.fromCharCode(97 + at)}`);
  const best = Object.fromEntries(
    ["a", "b", "c"].map((name) => [`${name}.md`, `# Saving\n\nsaving ${words.join(" ")}\n`]),
  );
  const [early, late] = [words.slice(0, 10).join(" "), words.slice(10).join(" ")];
  const shown = { ...best, "x.md": `# x\n\nsaving wine ${early}\n`, "y.md": `# y\n\nsaving wine ${late}\n` };
  const hidden = { "0.md": `# h\n\n${[...words].reverse().join(" ")}\n` };
  expect(await search({ ...shown, ...hidden }, "saving", 10, ["0.md"])).toEqual(await search(shown, "saving", 10));
});

it("scores fall with the rank", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 12 }),
      fc.array(word, { minLength: 1 }),
      async (texts, query) => {
        const files = Object.fromEntries(texts.map((text, at) => [`${at}.md`, text]));
        const scores = (await search(files, query.join(" "), 10)).map(({ score }) => score);
        expect(scores).toEqual([...scores].sort((a, b) => b - a));
      },
    ),
    { numRuns: wholeOr(60, 20) },
  );
});
