import { expect, it } from "vitest";
import { pages, standardsFolder } from "./folder.ts";

it("a question finds its passage, with file, section, lines, tokens and what matched", async () => {
  const { results, totalTokens, warnings } = await standardsFolder(pages).open().search("How do I undo releases?");
  expect(results[0]).toEqual({
    content: "# Rollback\n\nUndo a release with the deploy tool.\n\n```sh\ndeploy --undo\n```",
    file: "ops/rollback.md",
    section: "Rollback",
    score: expect.any(Number),
    tokens: 19,
    lines: [1, 7],
    matched: { terms: ["undo", "releases"], headings: [] },
  });
  expect(results[1]).toMatchObject({ file: "ops/release.md", matched: { terms: ["releases"], headings: ["Release"] } });
  expect(totalTokens).toBe(results.reduce((sum, { tokens }) => sum + tokens, 0));
  expect(warnings).toEqual([]);
});

it("results are spread over files; further passages of one file come only where files run out", async () => {
  const page = (name: string) => `# ${name}\n\n## One\n\nalpha one\n\n## Two\n\nalpha two\n`;
  const search = standardsFolder({ "a.md": page("A"), "b.md": page("B") }).open();
  expect((await search.search("alpha", { limit: 2 })).results.map(({ file }) => file)).toEqual(["a.md", "b.md"]);
  const all = (await search.search("alpha", { limit: 10 })).results;
  expect(all.map(({ file }) => file)).toEqual(["a.md", "b.md", "a.md", "b.md"]);
  expect(new Set(all.map(({ file, content }) => file + content)).size).toBe(4);
});

it.each([40, 100, 600, 2000])("contents together cost no more than the budget of %i tokens", async (budget) => {
  const long = (word: string) => `# ${word}\n\n${`Every line says gate and ${word} once more.\n`.repeat(200)}`;
  const search = standardsFolder({ "a.md": long("alpha"), "b.md": long("beta"), "c.md": long("gamma") }).open();
  const { results, totalTokens } = await search.search("gate", { budget, limit: 10 });
  expect(totalTokens).toBeLessThanOrEqual(budget);
  expect(totalTokens).toBeGreaterThan(budget * 0.5);
  expect(results.length).toBe(Math.min(3, Math.floor(budget / 24)));
});

it("unless told, three results cost at most 600 tokens", async () => {
  const files = Object.fromEntries(
    ["a", "b", "c", "d"].map((name) => [`${name}.md`, `# ${name}\n\n${"gate word ".repeat(600)}`]),
  );
  const { results, totalTokens } = await standardsFolder(files).open().search("gate");
  expect(results).toHaveLength(3);
  expect(totalTokens).toBeLessThanOrEqual(600);
});

it("tags narrow a search down, in any case", async () => {
  const search = standardsFolder(pages).open();
  expect((await search.search("evidence", { tags: ["PROOF", "other"] })).results.map(({ file }) => file)).toEqual([
    "gates.md",
  ]);
  expect((await search.search("evidence", { tags: ["nothing"] })).results).toEqual([]);
});

it.each([
  ["Zanzibar8Quux", "The quux of the gate.", ["Quux"]],
  ["Zanzibar8Quux", "From Zanzibar to Quuxes.", ["Zanzibar", "Quux"]],
  ["Zanzibar8Quux", "Call zanzibar_8_quux.", ["Zanzibar8Quux"]],
  ["(retry-policy), please!", "One policy for each.", ["policy"]],
  ["the team's gates", "A gate for teams.", ["team", "gates"]],
  ["日志规范", "日志必须包含时间戳。", ["日志"]],
])(
  "what matched are words that stand in the passage, of an identifier only its parts that do: %s",
  async (...given) => {
    const [query, text, terms] = given;
    const { results } = await standardsFolder({ "a.md": `# Page\n\n${text}\n` })
      .open()
      .search(query);
    expect(results[0]?.matched.terms).toEqual(terms);
  },
);

it("an identifier is found by a word of it, and whole", async () => {
  const search = standardsFolder({ "a.md": "# A\n\nCall `parseGateFile` first.\n", "b.md": "# B\n\nOther.\n" }).open();
  for (const query of ["gate", "parseGateFile", "parse_gate_file", "PARSE-GATE-FILE"])
    expect((await search.search(query)).results.map(({ file }) => file)).toEqual(["a.md"]);
});

it.each([
  ["東京", "# 旅\n\n私は東京に行きます。\n"],
  ["京", "# 旅\n\n私は東京に行きます。\n"],
  ["検索エンジン", "# 資料\n\nこの検索は速い。\n"],
  ["검색은", "# 문서\n\n검색은 빠르다.\n"],
  ["ссылка", "# Текст\n\nЭто ссылка.\n"],
])("other scripts are found: %s", async (query, text) => {
  const { results } = await standardsFolder({ "a.md": text, ...pages })
    .open()
    .search(query);
  expect(results[0]?.file).toBe("a.md");
});

it("the same question has the same answer, from every process", async () => {
  const place = standardsFolder(pages);
  await new Promise((resolve) => setTimeout(resolve, 150)); // a file that changed just now is read once more
  const first = await place.open().search("evidence release gate", { limit: 10 });
  for (const transport of [place.open(), place.open({ patience: 0 }), place.open()]) {
    await transport.ready();
    expect(await transport.search("evidence release gate", { limit: 10 })).toEqual(first);
  }
});
